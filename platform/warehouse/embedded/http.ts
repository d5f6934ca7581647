import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Session } from 'chdb';
import { describeException, EngineError } from './error.ts';
import { readAhead } from './read-ahead.ts';
import { type BodyBudget, readStatement } from './request.ts';
import type { Lease, SessionPool } from './sessions.ts';
import { runInsert, runStatement, type Statement, understand } from './statement.ts';

interface EngineHttpOptions {
  readonly readers: SessionPool;
  readonly writers: SessionPool;
  readonly password: string;
  readonly maxBodyBytes: number;
  readonly maxHeldBytes: number;
}

const USERNAME = 'default';
/** Parameters are in the URL; ClickHouse's own limit is 1 MiB. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Longer than any client keeps an idle connection, so that the server never closes one about to be used. */
const KEEP_ALIVE_MS = 65_000;

/** ClickHouse's HTTP interface over the engine's sessions; the caller starts listening. */
export function createEngineHttp(options: EngineHttpOptions): Server {
  const budget: BodyBudget = {
    perRequestBytes: options.maxBodyBytes,
    totalBytes: options.maxHeldBytes,
    heldBytes: 0,
  };
  const passwordDigest = digest(options.password);
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    // A write to a disconnected client is not our fault; code that cares listens for 'close'.
    response.on('error', () => {});
    serve(request, response).catch((error: unknown) => answerException(request, response, error));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/ping') {
      response.end('Ok.\n');
      return;
    }
    authenticate(request, passwordDigest);
    if (path !== '/' || (request.method !== 'POST' && request.method !== 'GET')) {
      response.writeHead(404).end('Not found; send statements to /\n');
      return;
    }
    const input = await readStatement(request, budget);
    const statement = understand(input);
    const pool = statement.isInsert ? options.writers : options.readers;
    const inHand = statement.insert?.data.length ?? 0;
    budget.heldBytes += inHand;
    try {
      await pool.use(input.settings, async (lease) => {
        if (response.closed) return;
        if (statement.altersSession) lease.discard();
        if (statement.insert) await answerInsert(response, lease.session, statement.insert);
        else await answerResult(response, lease, statement);
      });
    } finally {
      budget.heldBytes -= inHand;
    }
  }

  return server;
}

/** Streams the result as it is produced, at the reader's pace; the statement stops when the reader disconnects. */
async function answerResult(response: ServerResponse, lease: Lease, statement: Statement): Promise<void> {
  let finished = false;
  const gone = new Promise<void>((resolve) => {
    response.once('close', () => {
      // As on a server, a statement that writes continues when its client disconnects.
      if (!finished && statement.kind === 'stream') lease.stop();
      resolve();
    });
  });
  const tag = randomBytes(8).toString('hex');
  try {
    for await (const block of readAhead(runStatement(lease.session, statement))) {
      if (response.closed) break;
      if (!response.headersSent) writeResultHead(response, statement.format, tag);
      if (!response.write(block)) await Promise.race([once(response, 'drain'), gone]);
    }
    finished = true;
    if (!response.headersSent) writeResultHead(response, statement.format, tag);
    response.end();
  } catch (error) {
    finished = true;
    lease.discard();
    if (!response.headersSent) throw error;
    breakOff(response, tag, describeException(error).text);
  }
}
/**
 * Ends a half-sent result so that no reader can take it for complete: ClickHouse's exception trailer for clients that
 * know it, and a broken connection for all.
 */
function breakOff(response: ServerResponse, tag: string, text: string): void {
  const message = `${text}\n`;
  const length = Buffer.byteLength(message);
  response.write(`\r\n__exception__\r\n${tag}\r\n${message}${length} ${tag}\r\n__exception__\r\n`, () => {
    response.socket?.destroySoon();
  });
}

function writeResultHead(response: ServerResponse, format: string, tag: string): void {
  response.writeHead(200, {
    'Content-Type': format.startsWith('JSON')
      ? 'application/json; charset=UTF-8'
      : 'text/plain; charset=UTF-8',
    'X-ClickHouse-Format': format,
    'X-ClickHouse-Exception-Tag': tag,
  });
}

async function answerInsert(
  response: ServerResponse,
  session: Session,
  insert: NonNullable<Statement['insert']>,
): Promise<void> {
  const started = process.hrtime.bigint();
  const written = await runInsert(session, insert);
  const summary = {
    read_rows: String(written.rows),
    read_bytes: String(insert.data.length),
    written_rows: String(written.rows),
    written_bytes: String(written.bytes),
    total_rows_to_read: '0',
    result_rows: String(written.rows),
    result_bytes: String(written.bytes),
    elapsed_ns: String(process.hrtime.bigint() - started),
  };
  response.writeHead(200, { 'X-ClickHouse-Summary': JSON.stringify(summary) }).end();
}

function answerException(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.closed) {
    response.destroy();
    return;
  }
  const { status, code, text } = describeException(error);
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(code),
    // A body that was not read to the end leaves the connection unusable for the next request.
    ...(request.complete ? {} : { Connection: 'close' }),
  });
  response.end(`${text}\n`);
  if (!request.complete) request.resume();
}

function authenticate(request: IncomingMessage, passwordDigest: Buffer): void {
  const { user, password } = credentials(request);
  const isRight = timingSafeEqual(digest(password), passwordDigest);
  if (user === USERNAME && isRight) return;
  throw new EngineError(
    516,
    'AUTHENTICATION_FAILED',
    'Authentication failed: password is incorrect, or there is no user with such name',
  );
}

function credentials(request: IncomingMessage): { user: string; password: string } {
  const header = request.headers['x-clickhouse-user'];
  if (typeof header === 'string') {
    const key = request.headers['x-clickhouse-key'];
    return { user: header, password: typeof key === 'string' ? key : '' };
  }
  const basic = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic === undefined) return { user: USERNAME, password: '' };
  const decoded = Buffer.from(basic, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
