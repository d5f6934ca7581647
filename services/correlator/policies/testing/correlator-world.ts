import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { v7 } from 'uuid';
import type { PolicyVersion } from '#core/evidence/policies/enforced.ts';
import type { PolicyRule } from '#core/evidence/policies/rules.ts';
import { sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Batch, StoredRecord } from '#platform/event-log/port.ts';
import { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { Documents, State } from '#platform/state/port.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { EntryMaker, LedgerEvent } from '#records/changes/ledger-events.ts';
import { createCustomer } from '#records/customers/customers.ts';
import { openIncidents } from '#records/incidents/incidents.ts';
import { checkedCollections } from '#records/testing/checked-collections.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { SIGNALS as SIGNALS_TOPIC } from '#schemas/topics.ts';
import type { Plan } from '#schemas/vocabulary.ts';
import { type CorrelatorDependencies, createCorrelator } from '../pipeline.ts';

/** An entry of a test's ledger. */
export type Given =
  | { readonly policy: Partial<PolicyVersion> & Pick<PolicyVersion, 'policyId' | 'version'> }
  | {
      readonly riskLevel?: string;
      readonly violations?: readonly string[];
      readonly sandboxSlug?: string;
      /** Hours after the start. */
      readonly hour: number;
    };

const START = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

export const rule = (change: Partial<PolicyRule> = {}): PolicyRule => ({
  code: 'EMAIL',
  minRiskLevel: 'HIGH',
  maxCount: 0,
  windowDays: 1,
  action: 'OPEN_INCIDENT',
  ...change,
});

export const POLICY_ID = '0190ffff-0000-7000-8000-0000000000a1';

export const enforced = (change: Partial<PolicyVersion> = {}): { readonly policy: PolicyVersion } => ({
  policy: {
    policyId: POLICY_ID,
    version: 1,
    sandboxSlugs: [],
    rules: [rule()],
    enforcement: 'ENFORCE',
    active: true,
    deletedAt: null,
    ...change,
  },
});

export class Killed extends Error {}

/** Ledgers in a real warehouse, an embedded state, and correlators that can be killed at their crash points. */
export async function startCorrelatorWorld() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'correlator-'));
  const logger = createLogger('silent');
  const state: State = checkedCollections(
    await openEmbeddedState({ path: path.join(folder, 'state.mdb'), now: Date.now }),
  );
  const engine = await startEmbeddedWarehouse({ path: path.join(folder, 'warehouse'), logger });
  const warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  const codec = bundledCodec();
  const events: LedgerEvent[] = [];
  const makeEntry: EntryMaker = async (event) => {
    events.push(event);
    const entryId = `${event.kind}:${event.id}`;
    return { entryId, topic: 'ledger', key: event.customerId, valueBase64: '', headers: {} };
  };
  const announce = (): void => undefined;
  const documents: Documents = state.documents;

  return {
    warehouse,
    documents,
    events,
    incidents: openIncidents({ documents, makeEntry, announce }),
    customer: async (plan: Plan = 'PRO'): Promise<string> => {
      const id = v7();
      await createCustomer(documents, {
        id,
        name: 'Of the tests',
        type: 'COMPANY',
        plan,
        overrides: { rate: null, burst: null, auditQuota: null, sandboxQuota: null },
        limits: { ratePerSecond: 10, burst: 50, auditQuota: null, sandboxQuota: null },
        createdAt: new Date(START).toISOString(),
      });
      return id;
    },
    /** The ledger with these entries; entries stored before are stored again, unchanged. */
    store: async (customerId: string, given: readonly Given[]): Promise<FoldedEntry[]> => {
      const rows = storedRows(given.map((one, index) => ({ ...draftOf(one, index), customerId })));
      for (const [table, own] of [
        [SIGNALS, rows.signals],
        [ENTRIES, rows.entries],
        [LEDGER, rows.ledger],
      ] as const)
        if (own.length > 0) await warehouse.insert(table.name, columnNames(table), own);
      const cores = new Map(given.map((one, index) => [index, draftOf(one, index).core]));
      return rows.ledger.map(({ index, kind, id, v, at, hash }) => ({
        index,
        kind: kind as 'SIGNAL',
        id,
        v,
        at,
        hash,
        core: cores.get(index) ?? null,
        fingerprint: null,
      }));
    },
    /** A batch with one record per list of entries. */
    batch: (customerId: string, lists: readonly (readonly FoldedEntry[])[], epoch = 1): Batch => {
      const records = lists
        .filter((entries) => entries.length > 0)
        .map(
          (entries, offset): StoredRecord => ({
            topic: SIGNALS_TOPIC.name,
            key: customerId,
            partition: 0,
            offset,
            timestamp: 0,
            headers: {
              first: String(entries[0]!.index),
              last: String(entries.at(-1)!.index),
              others: String(entries.filter(({ kind }) => kind !== 'SIGNAL').length),
              epoch: String(epoch),
            },
            value: codec.encodeFoldedEntries({ customerId, epoch, entries }),
          }),
        );
      const nextOffset = records.length;
      return { topic: SIGNALS_TOPIC.name, partition: 0, records, nextOffset, end: nextOffset };
    },
    /** A correlator that is killed at the n-th of the points before and after its writes; without a number, never. */
    correlator: (killedAt = Number.POSITIVE_INFINITY, change: Partial<CorrelatorDependencies> = {}) => {
      let points = 0;
      const mayDie = (): void => {
        points += 1;
        if (points >= killedAt) throw new Killed();
      };
      return createCorrelator({
        warehouse,
        documents: {
          ...documents,
          write: async (...write) => {
            mayDie();
            const outcome = await documents.write(...write);
            mayDie();
            return outcome;
          },
        },
        makeEntry,
        announce,
        now: Date.now,
        decodeFoldedEntries: codec.decodeFoldedEntries,
        yieldTurn: async () => undefined,
        ...change,
      });
    },
    close: async () => {
      await warehouse.close();
      await engine.stop();
      await state.close();
      await rm(folder, { recursive: true });
    },
  };
}
export type CorrelatorWorld = Awaited<ReturnType<typeof startCorrelatorWorld>>;

function draftOf(given: Given, index: number) {
  if ('policy' in given) {
    const { policy } = given;
    const core = { ...enforced().policy, type: 'POLICY', createdAt: '', ...policy };
    return { ...sampleDraft(index, 'POLICY_EVENT', core), id: `policy:${policy.policyId}:${policy.version}` };
  }
  const { riskLevel = 'HIGH', violations = ['EMAIL'], sandboxSlug = 'support', hour } = given;
  const createdAt = new Date(START + hour * HOUR_MS).toISOString();
  const core = { ...sampleCore(index), riskLevel, violations, sandboxSlug, createdAt };
  return { ...sampleDraft(index, 'SIGNAL', core), at: createdAt };
}
