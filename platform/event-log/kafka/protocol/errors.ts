import { ServiceError } from '#platform/flow/service-error.ts';
import { errorCodes } from './wire.ts';

/** Protocol error codes that need specific handling. */
export const CODES = {
  NONE: 0,
  OFFSET_OUT_OF_RANGE: 1,
  CORRUPT_MESSAGE: 2,
  UNKNOWN_TOPIC_OR_PARTITION: 3,
  LEADER_NOT_AVAILABLE: 5,
  NOT_LEADER: 6,
  REQUEST_TIMED_OUT: 7,
  BROKER_NOT_AVAILABLE: 8,
  REPLICA_NOT_AVAILABLE: 9,
  NETWORK_EXCEPTION: 13,
  COORDINATOR_LOADING: 14,
  COORDINATOR_NOT_AVAILABLE: 15,
  NOT_COORDINATOR: 16,
  NOT_ENOUGH_REPLICAS: 19,
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: 20,
  ILLEGAL_GENERATION: 22,
  UNKNOWN_MEMBER_ID: 25,
  REBALANCE_IN_PROGRESS: 27,
  TOPIC_AUTHORIZATION_FAILED: 29,
  GROUP_AUTHORIZATION_FAILED: 30,
  CLUSTER_AUTHORIZATION_FAILED: 31,
  TOPIC_ALREADY_EXISTS: 36,
  NOT_CONTROLLER: 41,
  OUT_OF_ORDER_SEQUENCE: 45,
  DUPLICATE_SEQUENCE: 46,
  INVALID_PRODUCER_EPOCH: 47,
  STORAGE_ERROR: 56,
  SASL_AUTHENTICATION_FAILED: 58,
  UNKNOWN_PRODUCER_ID: 59,
  FENCED_LEADER_EPOCH: 74,
  UNKNOWN_LEADER_EPOCH: 75,
  OFFSET_NOT_AVAILABLE: 78,
  MEMBER_ID_REQUIRED: 79,
  UNSTABLE_OFFSET_COMMIT: 88,
  THROTTLING_QUOTA_EXCEEDED: 89,
} as const;

const PASSING: ReadonlySet<number> = new Set([
  CODES.UNKNOWN_TOPIC_OR_PARTITION,
  CODES.LEADER_NOT_AVAILABLE,
  CODES.NOT_LEADER,
  CODES.REQUEST_TIMED_OUT,
  CODES.BROKER_NOT_AVAILABLE,
  CODES.REPLICA_NOT_AVAILABLE,
  CODES.NETWORK_EXCEPTION,
  CODES.COORDINATOR_LOADING,
  CODES.COORDINATOR_NOT_AVAILABLE,
  CODES.NOT_COORDINATOR,
  CODES.NOT_ENOUGH_REPLICAS,
  CODES.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
  CODES.NOT_CONTROLLER,
  CODES.STORAGE_ERROR,
  CODES.FENCED_LEADER_EPOCH,
  CODES.UNKNOWN_LEADER_EPOCH,
  CODES.OFFSET_NOT_AVAILABLE,
  CODES.UNSTABLE_OFFSET_COMMIT,
  CODES.THROTTLING_QUOTA_EXCEEDED,
]);

/** True for transient codes: a leader moves, a coordinator loads, a new topic is not yet known everywhere. */
export const isPassing = (code: number): boolean => PASSING.has(code);

export function describeCode(code: number): string {
  const known = errorCodes.find((each) => each.code === code);
  return known === undefined ? `error ${code}` : `${known.type}: ${known.message}`;
}

/** The user's password or permissions were changed. An operator must fix this; the process notices only by retrying. */
const REFUSED_USER: ReadonlySet<number> = new Set([
  CODES.TOPIC_AUTHORIZATION_FAILED,
  CODES.GROUP_AUTHORIZATION_FAILED,
  CODES.CLUSTER_AUTHORIZATION_FAILED,
  CODES.SASL_AUTHENTICATION_FAILED,
]);

/** A broker answered a request with an error code. */
export class BrokerError extends ServiceError {
  readonly code: number;
  /** True for a transient error, or when the broker refuses the user for now. */
  override readonly retryable: boolean;
  constructor(what: string, code: number) {
    super(`${what}: ${describeCode(code)}`);
    this.name = 'BrokerError';
    this.code = code;
    this.retryable = isPassing(code) || REFUSED_USER.has(code);
  }
}

/** A broker could not be reached: nothing was sent. */
export class Unreachable extends ServiceError {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'Unreachable';
  }
}

/** The connection ended or timed out before the answer, so it is unknown whether the broker executed the request. */
export class ConnectionLost extends ServiceError {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options);
    this.name = 'ConnectionLost';
  }
}

/** A topic was replaced since this process started. Its offsets refer to other records now, so all work stops. */
export class TopicReplaced extends Error {
  constructor(topic: string, what: 'deleted' | 'created again') {
    super(
      `topic "${topic}" was ${what} while it was in use: its records are lost. Nothing is skipped. Restore the log, or start a new epoch with "cas migrate --new-epoch".`,
    );
    this.name = 'TopicReplaced';
  }
}
