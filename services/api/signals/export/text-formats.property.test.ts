import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { csvRecordCounter } from './records.ts';
import { createTally } from './tally.ts';
import { awkwardText } from './testing/awkward-signals.ts';
import { parseCsv } from './testing/csv-parser.ts';
import { csvFile, jsonFile, ndjsonFile } from './text-formats.ts';

const LIST = '[{"code":"EMAIL"}]';
const cell = fc.oneof(
  awkwardText,
  fc.constantFrom(`","${LIST}"\n`, LIST, ']"\n', '"\n', 'a]"\n', ']\n', ']', '"', `]""\n"${LIST}`),
);
/** Records as ClickHouse writes them: texts in quotes, a JSON list at the end. */
const records = fc.array(
  fc
    .tuple(fc.array(cell, { maxLength: 4 }), fc.constantFrom('[]', LIST))
    .map(([cells, last]) => ['first', ...cells, last]),
  { maxLength: 12 },
);
const written = (record: readonly string[]): string =>
  `${record.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`;

const cuts = fc.array(fc.nat(), { maxLength: 20 });
async function* cut(text: string, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((offset) => offset % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  for (const [index, end] of ends.entries()) yield Buffer.from(bytes.subarray(ends[index - 1] ?? 0, end));
}
async function fileOf(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('CSV', () => {
  test('has as many rows as a parser finds, however it is cut', () =>
    fc.assert(
      fc.asyncProperty(records, cuts, async (rows, cuts) => {
        const text = rows.map(written).join('');
        expect(parseCsv(text)).toEqual(rows);
        const count = csvRecordCounter();
        let counted = 0;
        for await (const chunk of cut(text, cuts)) counted += count(chunk);
        expect(counted).toBe(rows.length);
        const tally = createTally();
        const [, ...parsed] = parseCsv(await fileOf(csvFile(cut(text, cuts), tally)));
        expect([parsed, tally.rowCount()]).toEqual([rows, rows.length]);
      }),
      { numRuns: 300 },
    ));
});

describe('JSON', () => {
  const objects = fc.array(fc.record({ text: awkwardText, list: fc.array(awkwardText) }), { maxLength: 12 });

  test('is an array, or lines, of the input, however it is cut', () =>
    fc.assert(
      fc.asyncProperty(objects, cuts, async (rows, cuts) => {
        const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
        const [array, list] = [createTally(), createTally()];
        expect(JSON.parse(await fileOf(jsonFile(cut(lines, cuts), array)))).toEqual(rows);
        expect(await fileOf(ndjsonFile(cut(lines, cuts), list))).toBe(lines);
        expect([array.rowCount(), list.rowCount()]).toEqual([rows.length, rows.length]);
      }),
      { numRuns: 300 },
    ));
});
