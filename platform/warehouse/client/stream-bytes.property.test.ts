import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { streamBytes } from './stream-bytes.ts';

const TAG = 'qwertyuiopasdfgh';
const HEADERS = { 'x-clickhouse-exception-tag': TAG };
const MESSAGE =
  'Code: 241. DB::Exception: Query memory limit exceeded: hidden words. (MEMORY_LIMIT_EXCEEDED)\n';
const TRAILER = `\r\n__exception__\r\n${TAG}\r\n${MESSAGE}${MESSAGE.length} ${TAG}\r\n__exception__\r\n`;

/** Data in chunks, like a server's response, then an end or a broken connection. */
const answer = (bytes: Buffer, cuts: readonly number[], breaks: boolean) => async () => {
  const offsets = [
    0,
    ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  const chunks = offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end));
  const stream = Readable.from(
    (async function* () {
      yield* chunks;
      if (breaks) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    })(),
  );
  return { stream, response_headers: HEADERS as Readonly<Record<string, string>> };
};

async function read(open: ReturnType<typeof answer>): Promise<{ data: Buffer; error: unknown }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of streamBytes(open)) chunks.push(Buffer.from(chunk));
    return { data: Buffer.concat(chunks), error: null };
  } catch (error) {
    return { data: Buffer.concat(chunks), error };
  }
}

/** Data that closely resemble the mark. */
const data = fc
  .array(
    fc.constantFrom(
      '\r\n',
      '__exception__',
      TAG,
      '\n',
      'row,',
      '\r\n__exception__\r\n',
      TAG.slice(0, 9),
      '\r',
    ),
  )
  .map((parts) => Buffer.from(parts.join('')))
  .filter((bytes) => !bytes.includes(`\r\n__exception__\r\n${TAG}\r\n`));
const cuts = fc.array(fc.nat(), { maxLength: 8 });

describe('the bytes of a response', () => {
  test('are the same, wherever they are split', () =>
    fc.assert(
      fc.asyncProperty(data, cuts, async (bytes, offsets) => {
        expect(await read(answer(bytes, offsets, false))).toEqual({ data: bytes, error: null });
      }),
    ));

  test('end at the mark of an exception, which is thrown', () =>
    fc.assert(
      fc.asyncProperty(data, cuts, fc.boolean(), async (bytes, offsets, breaks) => {
        const whole = Buffer.concat([bytes, Buffer.from(TRAILER)]);
        const found = await read(answer(whole, offsets, breaks));
        expect(bytes.subarray(0, found.data.length).equals(found.data)).toBe(true);
        expect(found.error).toMatchObject({ name: 'WarehouseLimitExceeded', code: 241 });
        expect((found.error as Error).message).not.toContain('hidden');
      }),
    ));

  test('are an outage, not an end, if they break off without a mark', () =>
    fc.assert(
      fc.asyncProperty(data, cuts, async (bytes, offsets) => {
        const { error } = await read(answer(bytes, offsets, true));
        expect(error).toMatchObject({ name: 'WarehouseUnavailable', code: null });
      }),
    ));

  test('are refused from a server that does not mark exceptions', async () => {
    const stream = Readable.from([Buffer.from('row\n')]);
    const { data: seen, error } = await read(async () => ({ stream, response_headers: {} }));
    expect(seen.length).toBe(0);
    expect(error).toMatchObject({ name: 'WarehouseRejected', message: expect.stringContaining('25.11') });
    expect(stream.destroyed).toBe(true);
  });
});
