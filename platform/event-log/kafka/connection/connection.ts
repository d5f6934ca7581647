import { ConnectionLost, Unreachable } from '../protocol/errors.ts';
import { decodeFetchAnswer, FETCH_VERSION } from '../protocol/fetch-answer.ts';
import { metadataRequest } from '../protocol/metadata-request.ts';
import type { Apis } from '../protocol/requests.ts';
import {
  apiKeys,
  type BrokerVersions,
  createSocketFactory,
  lookup,
  type RequestDefinition,
  requests,
  Socket,
  type WireLogger,
  type WireSocket,
} from '../protocol/wire.ts';
import { oauthLogin, TokenRefused } from './oauth-login.ts';
import { NoToken } from './oauth-tokens.ts';

/** The part of a logger that the log uses; messages contain nothing from records. */
export interface KafkaLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface KafkaAddress {
  readonly host: string;
  readonly port: number;
}

/** A user with a password, or tokens; each connection requests its own token. */
export type KafkaLogin =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly token: () => Promise<string> };

export interface KafkaSecurity {
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string } | true;
  readonly sasl?: KafkaLogin;
}

/** Broker addresses, and how to authenticate. */
export interface KafkaAccess extends KafkaSecurity {
  readonly brokers: readonly string[];
}

export interface ConnectionSettings extends KafkaSecurity {
  readonly clientId: string;
  /** Time-out for connecting and authenticating together. */
  readonly connectTimeoutMs: number;
  /** After this long without an answer, a request and its connection count as lost. */
  readonly requestTimeoutMs: number;
}

/** One connection to one broker. After any failure it is closed for good: open a new one. */
export interface KafkaConnection {
  readonly open: boolean;
  /**
   * The decoded answer, error codes included. `waitMs`: time that the broker may hold the request on purpose, on top of
   * its time-out. Rejects with `ConnectionLost`.
   */
  request<Name extends keyof Apis>(
    name: Name,
    payload: Apis[Name]['request'],
    waitMs?: number,
  ): Promise<Apis[Name]['response']>;
  close(): void;
}

// The client's own messages would repeat, for each attempt, what is logged once where its meaning is known.
const SILENT: WireLogger = {
  namespace: () => SILENT,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const socketFactory = createSocketFactory();

/** Connects and authenticates. Rejects with `Unreachable`; its cause says why. */
export async function openConnection(
  { host, port }: KafkaAddress,
  settings: ConnectionSettings,
): Promise<KafkaConnection> {
  const { ssl, sasl, connectTimeoutMs, requestTimeoutMs } = settings;
  const name = `${host}:${port}`;
  const socket = new Socket({
    host,
    port,
    clientId: settings.clientId,
    ssl: ssl === true ? {} : (ssl ?? null),
    sasl: sasl === undefined ? null : clientLogin(sasl),
    connectionTimeout: connectTimeoutMs,
    requestTimeout: requestTimeoutMs,
    logger: SILENT,
    socketFactory,
  });
  const waiting = createWaiting();
  try {
    const versions = await waiting.during(connectTimeoutMs, async () => {
      await socket.connect();
      socket.socket?.once('close', () => waiting.end(new ConnectionLost(`${name} closed the connection`)));
      const found = await brokerVersions(socket);
      socket.setVersions(found);
      socket.setSupportAuthenticationProtocol(true);
      await socket.authenticate();
      return found;
    });
    return connectionOver({ socket, waiting, versions, name, requestTimeoutMs });
  } catch (error) {
    discard(socket);
    throw new Unreachable(`broker ${name} ${whyNotOpen(error, settings)}`, { cause: error });
  }
}

/** The login in the client's format; a copy, because the client mutates it. */
const clientLogin = (sasl: KafkaLogin): object =>
  sasl.mechanism === 'oauthbearer' ? oauthLogin(sasl.token) : { ...sasl };

interface Opened {
  readonly socket: WireSocket;
  readonly waiting: ReturnType<typeof createWaiting>;
  readonly versions: BrokerVersions;
  readonly name: string;
  readonly requestTimeoutMs: number;
}

function connectionOver({ socket, waiting, versions, name, requestTimeoutMs }: Opened): KafkaConnection {
  function close(reason = new ConnectionLost(`the connection to ${name} was closed`)): void {
    waiting.end(reason);
    discard(socket);
  }

  return {
    get open() {
      return !waiting.ended && socket.isConnected();
    },
    async request(api, payload, waitMs = 0) {
      const { request, response } = definitionOf(api, payload, versions);
      try {
        const answer = await waiting.during(requestTimeoutMs + waitMs, () =>
          socket.send({
            request,
            response: { decode: response.decode, parse: async (decoded) => decoded },
            requestTimeout: requestTimeoutMs + waitMs,
            logResponseError: false,
          }),
        );
        return answer as Apis[typeof api]['response'];
      } catch (error) {
        const reason = new ConnectionLost(`${api} to ${name} got no answer: ${messageOf(error)}`, {
          cause: error,
        });
        close(reason);
        throw isConnectionError(error) ? reason : error;
      }
    },
    close,
  };
}

/**
 * The client drops requests that are sent while it is detecting that the connection is gone: it never settles them, and
 * its own time-outs are already off. So everything that waits for a connection is rejected here when the connection
 * ends.
 */
function createWaiting() {
  const rejections = new Set<(reason: Error) => void>();
  let ended: Error | null = null;
  return {
    get ended() {
      return ended !== null;
    },
    /** Rejects when the work rejects, when the connection ends, or when the time is up. */
    during: <Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (ended !== null) throw ended;
        const settle = (): void => {
          clearTimeout(timer);
          rejections.delete(fail);
        };
        const fail = (reason: Error): void => {
          settle();
          reject(reason);
        };
        const timer = setTimeout(() => fail(new ConnectionLost(`nothing within ${timeoutMs} ms`)), timeoutMs);
        rejections.add(fail);
        work().then((result) => {
          settle();
          resolve(result);
        }, fail);
      }),
    end(reason: Error): void {
      ended ??= reason;
      for (const reject of [...rejections]) reject(reason);
    },
  };
}

function definitionOf(api: string, payload: object, versions: BrokerVersions): RequestDefinition {
  if (api === 'Metadata') return metadataRequest(payload as Apis['Metadata']['request']);
  const { request, response } = lookup(versions)(apiKeys[api]!, requests[api]!)(payload);
  if (api !== 'Fetch') return { request, response };
  if (request.apiVersion !== FETCH_VERSION)
    throw new Error(
      `the broker only supports version ${request.apiVersion} of Fetch; Kafka 3.2 or later is required`,
    );
  return { request, response: { decode: decodeFetchAnswer } };
}

async function brokerVersions(socket: WireSocket): Promise<BrokerVersions> {
  const { versions, protocol } = requests.ApiVersions!;
  const { request, response } = protocol({ version: Math.max(...versions.map(Number)) })();
  const answer = (await socket.send({
    request,
    response: { decode: response.decode, parse: async (decoded) => decoded },
    logResponseError: false,
  })) as { apiVersions: { apiKey: number; minVersion: number; maxVersion: number }[] };
  return Object.fromEntries(answer.apiVersions.map((each) => [each.apiKey, each]));
}

/** Error codes of rejected certificates; they say what is wrong with the certificate. */
const CERTIFICATE_CODE = /CERT|SIGNATURE|ALTNAME/;

/** What an operator has to check. A wrong password or certificate may be corrected while the service runs. */
function whyNotOpen(error: unknown, { ssl, sasl }: ConnectionSettings): string {
  const message = messageOf(error);
  if (!(error instanceof Error)) return `cannot be reached: ${message}`;
  if (error instanceof NoToken) return `login failed: ${message}`;
  if (error instanceof TokenRefused)
    return `rejected the login (oauthbearer). Check that it accepts tokens of this provider, audience and scope: ${message}`;
  if (error.name === 'KafkaJSSASLAuthenticationError')
    return sasl?.mechanism === 'oauthbearer'
      ? `rejected the login (oauthbearer). Check the mechanism: ${message}`
      : `rejected the login of "${sasl?.username}" (${sasl?.mechanism}). Check user, password and mechanism: ${message}`;
  const code = 'code' in error ? String(error.code) : '';
  if (CERTIFICATE_CODE.test(code))
    return `has an untrusted certificate. Check KAFKA_SSL_CA, and that the certificate is valid for this host name: ${message}`;
  if (/SSL|EPROTO/.test(code)) return `does not support TLS as configured: ${message}`;
  if (ssl === undefined && error.name === 'KafkaJSConnectionClosedError')
    return `closed the connection immediately: ${message}. It may expect TLS (KAFKA_SSL)`;
  return `cannot be reached: ${message}`;
}

function discard(socket: WireSocket): void {
  // Reject first: a graceful close would wait for their answers.
  socket.rejectRequests(new ConnectionLost('the connection was closed'));
  void socket
    .disconnect()
    .catch(() => undefined)
    .finally(() => socket.socket?.destroy());
}

const isConnectionError = (error: unknown): boolean =>
  error instanceof ConnectionLost ||
  (error instanceof Error &&
    (error.name.startsWith('KafkaJSConnection') || error.name === 'KafkaJSRequestTimeoutError'));

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');
