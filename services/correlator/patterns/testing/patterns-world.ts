import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Finding } from '#core/correlate/finding.ts';
import { findingOfStored, type StoredPattern } from '#core/correlate/fold/stored-pattern.ts';
import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import { sampleCore, sampleDraft, sampleErasure, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Batch, LogRecord, StoredRecord } from '#platform/event-log/port.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { CorrelationFinding, FoldedEntry } from '#schemas/events/events.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER, SIGNALS } from '#schemas/tables/tables.ts';
import { CORRELATIONS, SIGNALS as SIGNALS_TOPIC } from '#schemas/topics.ts';
import { createPatterns, type PatternDependencies } from '../pipeline.ts';

export class Killed extends Error {}

const draftOf = (customerId: string, entry: CorrelatedEntry) => ({ ...drafted(entry), customerId });

/** A ledger entry as drafted; fields that patterns do not read come from the sample. */
function drafted(entry: CorrelatedEntry) {
  const { index, kind } = entry;
  if (kind === 'ERASURE') {
    const { ranges, scope, closing } = entry;
    return sampleDraft(index, 'ERASURE', sampleErasure({ ranges, scope, closing }));
  }
  if (kind === 'SETTINGS') {
    const core = { type: 'SETTINGS', version: 1, ...entry.settings };
    return { ...sampleDraft(index, 'POLICY_EVENT', core), id: `settings:${index}` };
  }
  if (kind === 'OTHER') return sampleDraft(index, 'KEY_EVENT');
  const { id, riskLevel, violations, sandboxId, sandboxSlug, provider, model } = entry;
  const createdAt = new Date(entry.createdAt).toISOString();
  const acceptedAt = new Date(entry.acceptedAt).toISOString();
  const published = { riskLevel, violations, sandboxId, sandboxSlug, provider, model, createdAt, acceptedAt };
  return {
    ...sampleDraft(index, 'SIGNAL', { ...sampleCore(index), auditId: id, ...published }),
    id,
    at: createdAt,
  };
}

/** The entries of a ledger as the sink publishes them. */
export function foldedEntries(customerId: string, entries: readonly CorrelatedEntry[]): FoldedEntry[] {
  const drafts = entries.map((entry) => draftOf(customerId, entry));
  return storedRows(drafts).ledger.map(({ index, kind, v, at, hash }, n) => {
    const entry = entries[n]!;
    return {
      index,
      kind: kind as 'SIGNAL',
      id: drafts[n]!.id,
      v,
      at,
      hash,
      core: drafts[n]!.core,
      fingerprint: entry.kind === 'SIGNAL' ? entry.fingerprint : null,
    };
  });
}

/** A real warehouse, a log that remembers the findings, and correlators that can be killed at their crash points. */
export async function startPatternsWorld() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patterns-'));
  const logger = createLogger('silent');
  const engine = await startEmbeddedWarehouse({ path: path.join(folder, 'warehouse'), logger });
  const warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  const codec = bundledCodec();
  let appended: LogRecord[] = [];

  return {
    warehouse,
    /** Stores a ledger, as a sink does. */
    store: async (customerId: string, entries: readonly CorrelatedEntry[]): Promise<void> => {
      const rows = storedRows(entries.map((entry) => draftOf(customerId, entry)));
      for (const [table, own] of [
        [SIGNALS, rows.signals],
        [ENTRIES, rows.entries],
        [LEDGER, rows.ledger],
      ] as const)
        if (own.length > 0) await warehouse.insert(table.name, columnNames(table), own);
    },
    /** A record of these consecutive entries. */
    record: (customerId: string, entries: readonly FoldedEntry[], epoch = 1): StoredRecord => ({
      topic: SIGNALS_TOPIC.name,
      key: customerId,
      partition: 0,
      offset: 0,
      timestamp: 0,
      headers: {
        first: String(entries[0]!.index),
        last: String(entries.at(-1)!.index),
        others: String(entries.filter(({ kind }) => kind !== 'SIGNAL').length),
        epoch: String(epoch),
      },
      value: codec.encodeFoldedEntries({ customerId, epoch, entries }),
    }),
    batch: (records: readonly StoredRecord[]): Batch => ({
      topic: SIGNALS_TOPIC.name,
      partition: 0,
      records,
      nextOffset: records.length,
      end: records.length,
    }),
    /** A correlator that is killed at the n-th of the points before and after its writes; without a number, never. */
    patterns: (change: Partial<PatternDependencies> = {}, killedAt = Number.POSITIVE_INFINITY) => {
      let points = 0;
      const mayDie = (): void => {
        points += 1;
        if (points >= killedAt) throw new Killed();
      };
      return createPatterns({
        log: {
          append: async (records) => {
            mayDie();
            appended.push(...records);
            mayDie();
            return [];
          },
        },
        warehouse: {
          ...warehouse,
          insert: async (...rows) => {
            mayDie();
            await warehouse.insert(...rows);
            mayDie();
          },
        },
        codec,
        decodeFoldedEntries: codec.decodeFoldedEntries,
        maxBytes: 2 ** 26,
        yieldTurn: async () => undefined,
        ...change,
      });
    },
    /** The findings in the log, in order; the next call starts after them. */
    published: (): CorrelationFinding[] => {
      const records = appended;
      appended = [];
      return records.map(({ topic, key, value }) => {
        const finding = codec.decodeFinding(value as Buffer);
        if (topic !== CORRELATIONS.name || key !== finding.customerId)
          throw new Error('a finding has another topic or key');
        return finding;
      });
    },
    close: async () => {
      await warehouse.close();
      await engine.stop();
      await rm(folder, { recursive: true });
    },
  };
}
export type PatternsWorld = Awaited<ReturnType<typeof startPatternsWorld>>;

/** The newest version of each finding, as a reader of the whole log ends up with; by id. */
export function newestOf(published: readonly CorrelationFinding[]): Finding[] {
  const newest = new Map<string, CorrelationFinding>();
  for (const finding of published) {
    const known = newest.get(finding.id);
    if (known === undefined || finding.version >= known.version) newest.set(finding.id, finding);
  }
  return [...newest.values()]
    .map(({ pattern }) => findingOfStored(JSON.parse(pattern) as StoredPattern))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
