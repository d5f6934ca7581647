import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import { type CorrelationSettings, DEFAULT_SETTINGS } from '#core/correlate/state/rules.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import { CUSTOMERS, type Documents, type State } from '#platform/state/port.ts';
import type { EntryMaker, LedgerEvent } from '../changes/ledger-events.ts';
import { RECORD_USAGE, type RecordUsage } from '../changes/record-usage.ts';
import { cleanRecords, requestErasure } from '../erasure/erasures.ts';
import { checkedCollections } from '../testing/checked-collections.ts';
import { AMPLE_BUDGET, AT } from '../testing/records-world.ts';
import { changeCorrelationSettings, REMEMBERED_CHANGES } from './change-settings.ts';
import { CORRELATION_SETTINGS, correlationSettings, storedCorrelationSettings } from './settings-record.ts';

let folder: string;
let state: State;
let customerId: string;
let events: LedgerEvent[];
let announced: string[];
/** Calls until the state fails as if the process were killed, before or after the call took effect. */
let callsLeft = Number.POSITIVE_INFINITY;
let diesAfter = false;
const killed = new Error('killed here');

const makeEntry: EntryMaker = async (event) => {
  events.push(event);
  const entryId = `${event.kind}:${event.id}`;
  return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
};
const announce = ({ collection }: { readonly collection: string }): void => {
  announced.push(collection);
};
async function counted<Result>(call: () => Promise<Result>): Promise<Result> {
  callsLeft -= 1;
  if (callsLeft >= 0) return call();
  if (diesAfter) await call();
  throw killed;
}
const watched = (documents: Documents): Documents => ({
  ...documents,
  get: (ref) => counted(() => documents.get(ref)),
  write: (scope, writes, claims) => counted(() => documents.write(scope, writes, claims)),
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'settings-'));
  state = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
});
afterAll(async () => {
  await state.close();
  rmSync(folder, { recursive: true });
});
beforeEach(newCustomer);

async function newCustomer(): Promise<void> {
  customerId = v7();
  [events, announced, callsLeft] = [[], [], Number.POSITIVE_INFINITY];
  await state.documents.write(customerId, [{ collection: CUSTOMERS, id: customerId, value: {} }]);
}

const change = (settings: Partial<CorrelationSettings>, changeId = v7(), budget = AMPLE_BUDGET) =>
  changeCorrelationSettings(
    { documents: watched(state.documents), makeEntry, announce },
    { customerId, at: AT, changeId, actor: 'key:1', budget, change: settings },
  );
const current = () => correlationSettings(state.documents, customerId);
const usage = async () =>
  (
    await state.documents.get<RecordUsage>({
      scope: customerId,
      collection: RECORD_USAGE,
      id: customerId,
    })
  )?.value;

test('unchanged settings are the defaults, without a version', async () => {
  expect(await current()).toEqual({ ...DEFAULT_SETTINGS, version: 0, updatedAt: null });
});

test('a change is a version with its entry, and keeps omitted fields', async () => {
  const after = { ...DEFAULT_SETTINGS, windowMinutes: 15, version: 1, updatedAt: AT };
  expect(await change({ windowMinutes: 15 })).toEqual({ ok: true, settings: after });
  expect(await current()).toEqual(after);
  await change({ minSignals: 7, dimensions: ['model', 'violation'] });
  expect(await current()).toMatchObject({
    ...{ windowMinutes: 15, minSignals: 7, dimensions: ['model', 'violation'], version: 2 },
  });
  expect(events).toEqual([
    {
      kind: 'POLICY_EVENT',
      id: 'settings:1',
      customerId,
      at: AT,
      core: { type: 'SETTINGS', version: 1, ...DEFAULT_SETTINGS, windowMinutes: 15 },
      detail: { actor: 'key:1' },
    },
    expect.objectContaining({ id: 'settings:2' }),
  ]);
  expect(announced).toEqual([CORRELATION_SETTINGS, CORRELATION_SETTINGS]);
});

test('a change without effect writes nothing', async () => {
  expect(await change({ ...DEFAULT_SETTINGS })).toMatchObject({ ok: true, settings: { version: 0 } });
  await change({ minSignals: 9 });
  expect(await change({ minSignals: 9 })).toMatchObject({ ok: true, settings: { version: 1 } });
  expect(await change({})).toMatchObject({ ok: true, settings: { version: 1 } });
  expect(events).toHaveLength(1);
  expect(await usage()).toMatchObject({ versions: 1 });
});

test('concurrent changes are all made, one after the other', async () => {
  const minutes = Array.from({ length: 12 }, (_, number) => 20 + number);
  const made = await Promise.all(minutes.map((windowMinutes) => change({ windowMinutes })));
  const versions = made.flatMap((one) => (one.ok ? [one.settings.version] : []));
  expect(versions.sort((a, b) => a - b)).toEqual(minutes.map((_, position) => position + 1));
  expect((await current()).version).toBe(12);
  expect(await usage()).toMatchObject({ versions: 12 });
});

test('a repeat finds its change, even after later ones; the ids of the last twenty changes are kept', async () => {
  const [first, second] = [v7(), v7()];
  await change({ windowMinutes: 15 }, first);
  await change({ windowMinutes: 30 }, second);
  expect(await change({ windowMinutes: 15 }, first)).toMatchObject({ settings: { windowMinutes: 30 } });
  for (let minutes = 100; minutes < 100 + REMEMBERED_CHANGES; minutes += 1)
    await change({ windowMinutes: minutes });
  const stored = await storedCorrelationSettings(state.documents, customerId);
  expect(stored?.value.changeIds).toHaveLength(REMEMBERED_CHANGES);
  expect(stored?.value.changeIds).not.toContain(second);
});

test('a change beyond the budget is refused, and writes nothing', async () => {
  await change({ minSignals: 9 }, v7(), { ...AMPLE_BUDGET, versionsPerDay: 1 });
  const refused = await change({ minSignals: 10 }, v7(), { ...AMPLE_BUDGET, versionsPerDay: 1 });
  expect(refused).toEqual({ ok: false, reason: 'BUDGET', exceeded: 'versionsPerDay' });
  expect([(await current()).minSignals, events.length]).toEqual([9, 1]);
});

test('settings that no customer may have are refused before anything is written', async () => {
  await expect(change({ windowMinutes: 4 })).rejects.toThrow(RangeError);
  await expect(change({ minSignals: 1 })).rejects.toThrow(RangeError);
  expect(events).toEqual([]);
});

describe('of a customer that is erased', () => {
  test('no settings are changed', async () => {
    await change({ minSignals: 9 });
    await requestErasure(
      { documents: state.documents, makeEntry, announce },
      { customerId, id: v7(), at: AT },
    );
    expect(await change({ minSignals: 10 })).toEqual({ ok: false, reason: 'ERASED' });
    expect((await current()).minSignals).toBe(9);
  });

  test('no settings are changed when the erasure starts during the change', async () => {
    const documents: Documents = {
      ...state.documents,
      write: async (scope, writes, claims) => {
        if (writes.some(({ collection }) => collection === CORRELATION_SETTINGS))
          await requestErasure(
            { documents: state.documents, makeEntry, announce },
            { customerId, id: v7(), at: AT },
          );
        return state.documents.write(scope, writes, claims);
      },
    };
    const made = await changeCorrelationSettings(
      { documents, makeEntry, announce },
      { customerId, at: AT, changeId: v7(), actor: 'key:1', budget: AMPLE_BUDGET, change: { minSignals: 9 } },
    );
    expect(made).toEqual({ ok: false, reason: 'ERASED' });
    expect(await storedCorrelationSettings(state.documents, customerId)).toBeNull();
  });

  test('settings are deleted with the records', async () => {
    await change({ minSignals: 9 });
    await cleanRecords(state.documents, customerId);
    expect(await state.documents.ids(customerId, CORRELATION_SETTINGS)).toEqual([]);
  });
});

test('a change killed at any call and repeated is made once', async () => {
  let kills = 0;
  for (const after of [false, true])
    for (let calls = 0; ; calls += 1) {
      await newCustomer();
      [callsLeft, diesAfter] = [calls, after];
      const id = v7();
      const outcome = await change({ minSignals: 9 }, id).catch((error: unknown) => error);
      callsLeft = Number.POSITIVE_INFINITY;
      if (outcome !== killed) break;
      kills += 1;
      await change({ minSignals: 9 }, id);
      expect(await current()).toMatchObject({ minSignals: 9, version: 1 });
      expect(await usage()).toMatchObject({ versions: 1 });
    }
  expect(kills).toBeGreaterThan(6);
});
