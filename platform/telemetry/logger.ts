import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino';
import { createLineLimit } from './line-limit.ts';

export type { Logger } from 'pino';

/** Fields that never reach a log line, in whatever object they occur. */
const NEVER_LOGGED = [
  'prompt',
  'response',
  'thinkingBlock',
  'customFields',
  'systemPrompt',
  'userInput',
  'key',
  'secret',
  'token',
  'password',
  'authorization',
  'cookie',
  'linkToken',
  'csrfToken',
  'value',
];

/** Lines buffered in memory for a slow reader; beyond that, lines are dropped. */
export const MAX_WAITING_LOG_BYTES = 8 * 1024 * 1024;

const STANDARD_ERROR = 2;

/** Standard error, because standard output is for people. */
export const logOutput = (fileDescriptor = STANDARD_ERROR) =>
  destination({ dest: fileDescriptor, sync: false, maxLength: MAX_WAITING_LOG_BYTES });

/** JSON lines. `clock`: monotonic, ms. */
export function createLogger(
  level: string,
  output: DestinationStream = logOutput(),
  clock: () => number = () => performance.now(),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: NEVER_LOGGED.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[removed]',
      },
      serializers: { err: describeError, error: describeError },
      hooks: { logMethod: limitedLines(clock) },
    },
    output,
  );
}

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>;

/** Fatal lines, and debug lines that an operator has enabled, are never limited. */
const isLimited = (level: number): boolean =>
  level >= pino.levels.values.info! && level < pino.levels.values.fatal!;

function limitedLines(clock: () => number): LogMethod {
  const limit = createLineLimit(clock);
  return function limited(args, method, level) {
    const [first, second] = args as unknown as [unknown, unknown];
    const message = typeof first === 'string' ? first : String(second ?? '');
    const leftOut = isLimited(level) ? limit(message) : 0;
    if (leftOut === null) return;
    if (leftOut === 0) method.apply(this, args);
    else method.call(this, { ...(typeof first === 'object' ? first : {}), suppressed: leftOut }, message);
  };
}

/** An error as shown in a log line, without its own properties, where libraries put requests and rows. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}
