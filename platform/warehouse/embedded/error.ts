/** An error with ClickHouse's text and the HTTP status that its server uses for the code. */
export class EngineError extends Error {
  readonly code: number;
  constructor(code: number, type: string, text: string) {
    super(`Code: ${code}. DB::Exception: ${text}. (${type})`);
    this.name = 'EngineError';
    this.code = code;
  }
}

const HTTP_STATUS: Readonly<Record<number, number>> = {
  6: 400, // CANNOT_PARSE_TEXT
  26: 400, // CANNOT_PARSE_QUOTED_STRING
  27: 400, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  36: 400, // BAD_ARGUMENTS
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  50: 404, // UNKNOWN_TYPE
  53: 400, // TYPE_MISMATCH
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  72: 400, // CANNOT_PARSE_NUMBER
  73: 404, // UNKNOWN_FORMAT
  76: 503, // CANNOT_OPEN_FILE
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  131: 413, // TOO_LARGE_STRING_SIZE
  159: 408, // TIMEOUT_EXCEEDED
  202: 503, // TOO_MANY_SIMULTANEOUS_QUERIES
  456: 400, // UNKNOWN_QUERY_PARAMETER
  457: 400, // BAD_QUERY_PARAMETER
  497: 403, // ACCESS_DENIED
  516: 403, // AUTHENTICATION_FAILED
};

interface ExceptionAnswer {
  readonly status: number;
  readonly code: number;
  readonly text: string;
}

/** The response for anything thrown while serving a request. */
export function describeException(error: unknown): ExceptionAnswer {
  const message = error instanceof Error ? error.message : 'unknown fault';
  const code = errorCode(message);
  if (code !== null) return { status: HTTP_STATUS[code] ?? 500, code, text: message };
  return { status: 500, code: 1001, text: `Code: 1001. DB::Exception: ${message}. (STD_EXCEPTION)` };
}

/** ClickHouse's error code in an engine message, or null if there is none. */
function errorCode(message: string): number | null {
  const code = /\bCode: (\d+)\b/.exec(message)?.[1];
  return code === undefined ? null : Number(code);
}
