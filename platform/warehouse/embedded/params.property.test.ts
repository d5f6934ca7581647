import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { openWarehouse } from '../client/clickhouse.ts';
import type { Warehouse } from '../port.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from './process.ts';

const logger = { info() {}, warn() {}, error() {} };
const awkward = fc.constantFrom(
  "'",
  '\\',
  '\n',
  '\t',
  '\0',
  '\b',
  '[',
  ']',
  ',',
  '{',
  '}',
  'N',
  'x',
  '0',
  '"',
  'é',
  '😀',
);
const text = fc.oneof(
  fc.string(),
  fc.array(awkward, { maxLength: 12 }).map((parts) => parts.join('')),
);

describe('values sent through the embedded server are unchanged', () => {
  let folder: string;
  let embedded: EmbeddedWarehouse;
  let warehouse: Warehouse;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'warehouse-'));
    embedded = await startEmbeddedWarehouse({ path: folder, logger });
    warehouse = openWarehouse({ ...embedded, logger });
  });
  afterAll(async () => {
    await warehouse.close();
    await embedded.stop();
    await rm(folder, { recursive: true });
  });

  test('parameters of any text, alone and in arrays', () =>
    fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 5 }), async (one, many) => {
        const rows = await warehouse.query('SELECT {one:String} AS one, {many:Array(String)} AS many', {
          one,
          many,
        });
        expect(rows).toEqual([{ one, many }]);
      }),
      { numRuns: 75 },
    ));

  test('stored rows of any text and any finite number', async () => {
    await warehouse.command(
      'CREATE TABLE stored (run UInt64, position UInt64, text String, number Float64) ENGINE = MergeTree ORDER BY (run, position)',
    );
    const number = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => (value === 0 ? 0 : value));
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ text, number }), { minLength: 1, maxLength: 50 }),
        async (values) => {
          run++;
          const rows = values.map((value, position) => ({ run, position, ...value }));
          await warehouse.insert('stored', ['run', 'position', 'text', 'number'], rows);
          const back = await warehouse.query(
            'SELECT * FROM stored WHERE run = {run:UInt64} ORDER BY position',
            { run },
          );
          expect(back).toEqual(rows);
        },
      ),
      { numRuns: 50 },
    );
  });
});
