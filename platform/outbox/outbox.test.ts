import { describe, expect, test } from '#jest';
import { AppendFailure } from '#platform/event-log/port.ts';
import type { DocumentRef, PendingEntry } from '#platform/state/port.ts';
import { memoryLog } from '#platform/stream/testing/memory-log.ts';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { until } from '#platform/stream/testing/until.ts';
import { flushOutbox } from './flush.ts';
import { startSweeper } from './sweeper.ts';

const MIB = 2 ** 20;
const SILENT = { debug: () => undefined, warn: () => undefined };
const refOf = (id: string) => ({ scope: 'alice', collection: 'incidents', id });
const entry = (id: string): PendingEntry => ({
  entryId: `INCIDENT_EVENT:${id}`,
  topic: 'audit.ledger',
  key: 'alice',
  valueBase64: Buffer.from(id).toString('base64'),
  headers: { schema: 'cas.v1.LedgerEntry' },
});

async function setUp(...ids: string[]) {
  const [state, log] = [memoryState(), memoryLog({ partitions: 1 })];
  for (const id of ids) {
    const document = id.split('-')[0] as string;
    await state.documents.write('alice', [
      { collection: 'incidents', id: document, value: id, entries: [entry(id)] },
    ]);
  }
  const stored = () => log.stored('audit.ledger').map((record) => record.value.toString());
  return { state, log, stored, dependencies: { documents: state.documents, log } };
}

describe('flushOutbox', () => {
  test('appends entries once, in the order decided, and clears them', async () => {
    const { dependencies, stored, state } = await setUp('d-1', 'd-2', 'd-3');
    expect(await flushOutbox(dependencies, refOf('d'))).toBe(3);
    expect(stored()).toEqual(['d-1', 'd-2', 'd-3']);
    expect(await state.documents.pending(refOf('d'))).toEqual([]);
    expect(await flushOutbox(dependencies, refOf('d'))).toBe(0);
  });

  test('appends entries gathered during an outage in order, in chunks that the log accepts', async () => {
    const { dependencies, state } = await setUp();
    const ids = Array.from({ length: 40 }, (_, n) => `d-${String(n).padStart(2, '0')}`);
    const valueBase64 = Buffer.alloc(MIB).toString('base64');
    const entries = ids.map((id) => ({ ...entry(id), valueBase64 }));
    await state.documents.write('alice', [{ collection: 'incidents', id: 'd', value: 1, entries }]);
    const appended: number[] = [];
    const cleared: string[] = [];
    const log = {
      append: async (records: readonly { value: Buffer }[]) => {
        appended.push(records.reduce((sum, { value }) => sum + value.length, 0));
        return [];
      },
    } as unknown as typeof dependencies.log;
    const documents = {
      ...state.documents,
      clearPending: async (ref: DocumentRef, entryIds: readonly string[]) => {
        cleared.push(...entryIds);
        await state.documents.clearPending(ref, entryIds);
      },
    };
    expect(await flushOutbox({ documents, log }, refOf('d'))).toBe(40);
    expect(Math.max(...appended)).toBeLessThanOrEqual(9 * MIB);
    expect(appended.reduce((sum, bytes) => sum + bytes, 0)).toBe(40 * MIB);
    expect(cleared).toEqual(entries.map(({ entryId }) => entryId));
    expect(await state.documents.pending(refOf('d'))).toEqual([]);
  });

  test('keeps everything pending when the log fails', async () => {
    const { dependencies, log, state } = await setUp('d-1', 'd-2');
    log.failAppends = new AppendFailure('down', true);
    await expect(flushOutbox(dependencies, refOf('d'))).rejects.toThrow();
    expect(await state.documents.pending(refOf('d'))).toHaveLength(2);
  });

  test('a crash between append and clear repeats an entry and does not lose it', async () => {
    const { dependencies, stored, state } = await setUp('d-1');
    const broken = { ...state.documents, clearPending: () => Promise.reject(new Error('gone')) };
    await expect(flushOutbox({ ...dependencies, documents: broken }, refOf('d'))).rejects.toThrow('gone');
    await flushOutbox(dependencies, refOf('d'));
    expect(stored()).toEqual(['d-1', 'd-1']);
  });
});

describe('sweeper', () => {
  test('appends leftover entries, also after an outage, and stops', async () => {
    const { dependencies, log, stored } = await setUp('d-1', 'e-1');
    log.failAppends = new AppendFailure('down', true);
    let warnings = 0;
    const logger = { ...SILENT, warn: () => void warnings++ };
    const sweeper = startSweeper({ ...dependencies, logger, intervalMs: 1, maxPauseMs: 4 });
    try {
      await until(() => warnings > 3);
      expect(stored()).toEqual([]);
      log.failAppends = null;
      await until(() => stored().length === 2);
      expect(stored().sort()).toEqual(['d-1', 'e-1']);
    } finally {
      await sweeper.stop();
    }
  });

  test('a failing document does not delay the others', async () => {
    const { dependencies, stored, state } = await setUp('bad-1', 'good-1');
    const documents = {
      ...state.documents,
      pending: (ref: { id: string; scope: string; collection: string }) =>
        ref.id === 'bad' ? Promise.reject(new Error('unreadable')) : state.documents.pending(ref),
    };
    const sweeper = startSweeper({ ...dependencies, documents, logger: SILENT, intervalMs: 1 });
    await until(() => stored().length === 1);
    await sweeper.stop();
    expect(stored()).toEqual(['good-1']);
  });
});
