import { StateUnavailable } from '../../port.ts';

/** Advice for an error reply from Redis, by the code that it starts with or that a script's error contains. */
const ADVICE: readonly (readonly [code: string, advice: string])[] = [
  ['OOM', 'it is out of memory: raise "maxmemory"'],
  ['MISCONF', 'it cannot write to its disk: free space, or check its folder'],
  ['NOREPLICAS', 'it needs more replicas ("min-replicas-to-write"): start them again'],
  ['READONLY', 'it is now a replica; reconnecting to find the primary'],
  ['LOADING', 'it is loading its data: wait'],
  ['BUSY', 'it is busy with a script: wait'],
  [
    'NOPERM|The user executing the script|ACL failure in script',
    'the user lacks rights of its role: "cas config --redis-acl" prints the rights of each role',
  ],
  ['WRONGPASS', 'incorrect user or password'],
  ['NOAUTH', 'it wants a password'],
];

/** Redis itself replied with an error. Recognized by name, because errors may come from another realm. */
export const isReply = (error: unknown): error is { readonly name: 'ReplyError'; readonly message: string } =>
  (error as Error | undefined)?.name === 'ReplyError';

/** The server is too old for the command, or the command was renamed. */
export const isUnknownCommand = (error: unknown): boolean =>
  isReply(error) && /unknown (sub)?command/i.test(error.message);
/** The user lacks the permission. */
export const isForbidden = (error: unknown): boolean => isReply(error) && error.message.startsWith('NOPERM');

/** The library's messages for a missing or lost connection. */
const CONNECTION_LOST = /MaxRetriesPerRequestError|AbortError|Connection is closed|Stream isn't writeable/;

/** An error reply without the arguments that Redis may quote in it. */
const withoutArguments = (message: string): string => message.split(', with args')[0]!.slice(0, 300);

/**
 * Why a call or a connection failed, in words that may be logged. The library's error itself is never passed on,
 * because it contains the command with all its arguments.
 */
export function reasonOf(error: unknown): string {
  if (isReply(error)) {
    const [, advice] = ADVICE.find(([code]) => new RegExp(`\\b${code}\\b`).test(error.message)) ?? [];
    return `${withoutArguments(error.message)}${advice === undefined ? '' : ` (${advice})`}`;
  }
  if (CONNECTION_LOST.test(String(error))) return 'the connection is closed';
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return String(typeof code === 'string' ? code : (message ?? 'unknown failure'));
}

export const unavailable = (where: string, error: unknown): StateUnavailable =>
  error instanceof StateUnavailable
    ? error
    : new StateUnavailable(
        isReply(error)
          ? `Redis at ${where} rejected a call: ${reasonOf(error)}`
          : `Redis at ${where} did not answer (${reasonOf(error)}); the call may have taken effect`,
      );
