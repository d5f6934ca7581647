import { type DestinationStream, destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Fields that never reach a log line, whatever object carries them there. */
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
  'value',
];

/** Standard error: standard output belongs to what a person reads. */
export const logOutput = (): DestinationStream => destination({ dest: 2, sync: false });

/** JSON lines. */
export function createLogger(level: string, output: DestinationStream = logOutput()): Logger {
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
    },
    output,
  );
}

/** An error as a log line shows it: own properties stay out, because libraries put requests and rows there. */
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
