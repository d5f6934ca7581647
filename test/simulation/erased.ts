import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import { LEDGER } from '#schemas/topics.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import { ledgerOf } from './dependencies/newest-rows.ts';

/** A completely stored ERASURE, of signals or of a whole customer. */
export interface FoldedErasure extends Pick<ErasureCore, 'scope' | 'reason' | 'policyId' | 'kinds'> {
  readonly id: string;
  readonly index: number;
  /** Each index that it covers. */
  readonly indexes: readonly number[];
}

/** The erasures of a customer below the sink's positions, in ledger order. */
export function foldedErasures(store: MemoryStore, customerId: string): FoldedErasure[] {
  const next = new Map<number, number>();
  for (const { topic, partition, nextOffset } of store.rows.positions)
    if (topic === LEDGER.name) next.set(partition, Math.max(next.get(partition) ?? 0, nextOffset));
  const cores = new Map(
    store.rows.entries
      .filter((row) => row.customerId === customerId && row.kind === 'ERASURE' && row.core !== null)
      .map(({ index, core }) => [index, JSON.parse(core!) as ErasureCore]),
  );
  return ledgerOf(store, customerId)
    .filter(({ kind, partition, offset }) => kind === 'ERASURE' && offset < (next.get(partition) ?? 0))
    .flatMap(({ id, index }) => {
      const core = cores.get(index);
      if (core === undefined) return [];
      const { scope, reason, policyId, kinds } = core;
      const indexes = core.ranges.flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, n) => from + n),
      );
      return [{ id, index, scope, reason, policyId, kinds, indexes }];
    });
}

/**
 * Salts of erased signals, with the audit id. A salt is generated once and stored with its content, so data that
 * contains the salt contains the content.
 */
export function erasedSalts(
  store: MemoryStore,
  customerId: string,
  erasures = foldedErasures(store, customerId),
): Map<string, string> {
  const content = new Map(
    store.rows.signals
      .filter((row) => row.customerId === customerId && row.revision === 0)
      .map((row) => [row.index, row]),
  );
  const salts = new Map<string, string>();
  for (const { scope, kinds, indexes } of erasures) {
    if (!kinds.includes('SIGNAL')) continue;
    for (const index of indexes) {
      const row = content.get(index);
      if (row === undefined) continue;
      salts.set(row.detailSalt, row.auditId);
      if (scope === 'ALL') salts.set(row.coreSalt, row.auditId);
    }
  }
  salts.delete('');
  return salts;
}
