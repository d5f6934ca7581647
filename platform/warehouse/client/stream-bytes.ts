import type { Readable } from 'node:stream';
import { parseError } from '@clickhouse/client';
import { WarehouseRejected, WarehouseUnavailable } from '../port.ts';
import { toWarehouseError } from './failures.ts';

/** A response being read. */
interface OpenAnswer {
  readonly stream: Readable;
  readonly response_headers: Readonly<Record<string, string | string[] | undefined>>;
}

const TAG_HEADER = 'x-clickhouse-exception-tag';
/** An exception's text is short; whatever follows it is not part of the result. */
const MAX_EXCEPTION_BYTES = 64 * 1024;

/**
 * Yields the bytes of a response until it ends. A server that fails midway writes its exception after a mark that no
 * data can contain, because it includes a random tag, and breaks the connection. Either is thrown, and no byte of the
 * mark is yielded. `stop` breaks the connection from our side.
 */
export async function* streamBytes(
  open: () => Promise<OpenAnswer>,
  stop?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  stopped(stop);
  const { stream, response_headers } = await open();
  const hangUp = (): void => void stream.destroy();
  stop?.addEventListener('abort', hangUp, { once: true });
  try {
    stopped(stop);
    const tag = response_headers[TAG_HEADER];
    if (typeof tag !== 'string') {
      throw new WarehouseRejected(
        'ClickHouse 25.11 or newer is required: this version does not mark exceptions in results',
        0,
      );
    }
    yield* untilMark(stream, Buffer.from(`\r\n__exception__\r\n${tag}\r\n`));
  } catch (error) {
    stopped(stop);
    throw toWarehouseError('stream', error);
  } finally {
    stop?.removeEventListener('abort', hangUp);
    // The reader left early: the server notices the disconnect and stops the query.
    stream.destroy();
  }
}

const STOPPED = 'the statement was canceled because no caller is waiting';

function stopped(stop: AbortSignal | undefined): void {
  if (stop?.aborted) throw new WarehouseUnavailable(STOPPED, null);
}

async function* untilMark(stream: Readable, mark: Buffer): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    // Copies only if bytes are pending, because every copy has to be garbage collected.
    const data = held.length === 0 ? next.value : Buffer.concat([held, next.value]);
    const at = data.indexOf(mark);
    if (at >= 0) throw parseError(await exceptionText(data.subarray(at + mark.length), chunks));
    // The possible start of a mark waits for the next chunk.
    const end = data.length - markStartAtEnd(data, mark);
    held = data.subarray(end);
    if (end > 0) yield data.subarray(0, end);
  }
  if (held.length > 0) yield held;
}

/** Number of bytes at the end of the data that could start the mark. */
function markStartAtEnd(data: Buffer, mark: Buffer): number {
  const most = Math.min(data.length, mark.length - 1);
  for (let length = most; length > 0; length -= 1) {
    if (data.compare(mark, 0, length, data.length - length) === 0) return length;
  }
  return 0;
}

/** Reads the exception after the mark. The connection is about to break, so whatever has arrived must suffice. */
async function exceptionText(first: Buffer, chunks: AsyncIterator<Buffer>): Promise<string> {
  const parts = [first];
  let size = first.length;
  try {
    for (
      let next = await chunks.next();
      !next.done && size < MAX_EXCEPTION_BYTES;
      next = await chunks.next()
    ) {
      parts.push(next.value);
      size += next.value.length;
    }
  } catch {
    // The server breaks the connection to show that the response is incomplete.
  }
  return Buffer.concat(parts).toString('utf8');
}
