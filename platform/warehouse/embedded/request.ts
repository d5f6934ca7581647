import type { IncomingMessage } from 'node:http';
import { EngineError } from './error.ts';
import type { RequestSettings } from './sessions.ts';

/** What one HTTP request asks the engine to do. */
export interface StatementRequest {
  readonly sql: string;
  /** Data bytes of an INSERT given in the URL; null if the body was the statement itself. */
  readonly data: Buffer | null;
  readonly params: ReadonlyMap<string, string>;
  readonly settings: RequestSettings;
  readonly defaultFormat: string;
  readonly isReadOnly: boolean;
}

/** URL parameters for the HTTP interface, not the engine. */
const INTERFACE_NAMES = new Set([
  'query',
  'query_id',
  'default_format',
  'user',
  'password',
  'role',
  'compress',
  'decompress',
  'enable_http_compression',
  'wait_end_of_query',
  'buffer_size',
  'send_progress_in_http_headers',
  'quota_key',
  'stacktrace',
]);
const REFUSED_NAMES = ['session_id', 'compress', 'decompress'];

/** Memory for bodies of all requests together. */
export interface BodyBudget {
  readonly perRequestBytes: number;
  readonly totalBytes: number;
  heldBytes: number;
}

/**
 * Reads a request: statement, data, `param_*` values and settings, from the URL, the body or a form. Throws code 131
 * for a body above the limit and 202 if all bodies together exceed the budget.
 */
export async function readStatement(request: IncomingMessage, budget: BodyBudget): Promise<StatementRequest> {
  const address = new URL(request.url ?? '/', 'http://localhost').searchParams;
  for (const name of REFUSED_NAMES) {
    const value = address.get(name);
    if (value !== null && value !== '0') throw notImplemented(name);
  }
  if (request.headers['content-encoding'] !== undefined) throw notImplemented('Content-Encoding');
  const body = await readBody(request, budget);
  const params = new Map<string, string>();
  const settings = new Map<string, string>();
  for (const [name, value] of address) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    else if (!INTERFACE_NAMES.has(name)) settings.set(name, value);
  }
  const statement = {
    params,
    settings,
    defaultFormat: address.get('default_format') ?? 'TabSeparated',
    isReadOnly: request.method === 'GET',
  };
  const inAddress = address.get('query');
  const contentType = request.headers['content-type'] ?? '';
  if (contentType.startsWith('multipart/form-data')) {
    const form = readForm(body, contentType);
    for (const [name, value] of form) {
      if (name.startsWith('param_')) params.set(name.slice('param_'.length), value);
    }
    return { ...statement, sql: inAddress ?? form.get('query') ?? '', data: null };
  }
  if (inAddress === null) return { ...statement, sql: body.toString('utf8'), data: null };
  return { ...statement, sql: inAddress, data: body };
}

function notImplemented(what: string): EngineError {
  return new EngineError(48, 'NOT_IMPLEMENTED', `The embedded warehouse does not support ${what}`);
}

async function readBody(request: IncomingMessage, budget: BodyBudget): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      budget.heldBytes += chunk.length;
      if (size > budget.perRequestBytes) {
        throw new EngineError(
          131,
          'TOO_LARGE_STRING_SIZE',
          `The body exceeds ${budget.perRequestBytes} bytes`,
        );
      }
      if (budget.heldBytes > budget.totalBytes) {
        throw new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many bodies are being read');
      }
      chunks.push(chunk);
    }
  } finally {
    budget.heldBytes -= size;
  }
  if (!request.complete) throw new EngineError(210, 'NETWORK_ERROR', 'The request ended early');
  return Buffer.concat(chunks);
}

/** Text fields of a multipart form, which the client uses for long parameters. Latin-1 preserves every byte. */
function readForm(body: Buffer, contentType: string): Map<string, string> {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) throw new EngineError(36, 'BAD_ARGUMENTS', 'The form has no boundary');
  const fields = new Map<string, string>();
  for (const part of body.toString('latin1').split(`--${boundary}`)) {
    const headEnd = part.indexOf('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(part.slice(0, Math.max(headEnd, 0)))?.[1];
    if (name === undefined) continue;
    const value = part.slice(headEnd + 4).replace(/\r\n$/, '');
    fields.set(name, Buffer.from(value, 'latin1').toString('utf8'));
  }
  return fields;
}
