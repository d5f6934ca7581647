import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';

/** Faults of a verification, at most `limit` and one per index; always keeps the lowest. */
interface FaultList {
  report(index: number, id: string | null, reason: ChainFault['reason']): void;
  /**
   * Entries from `index` to `toIndex` cannot be read; a later call with the same `index` changes the end of the range.
   */
  damage(index: number, toIndex: number): void;
  lowest(): ChainFault | null;
  /** Ascending by index. */
  all(): ChainFault[];
}

export function createFaultList(limit: number): FaultList {
  const faults = new Map<number, ChainFault>();
  let lowest: ChainFault | null = null;
  const keep = (fault: ChainFault): void => {
    if (faults.has(fault.index) || faults.size < limit) faults.set(fault.index, fault);
    if (lowest === null || fault.index <= lowest.index) lowest = fault;
  };
  return {
    report: (index, id, reason) => {
      const known = faults.get(index);
      // A missing row explains the content left without it; otherwise the first fault wins.
      if (known !== undefined && !(known.reason === 'EXTRA' && reason === 'MISSING')) return;
      keep({ index, id, reason });
    },
    damage: (index, toIndex) => keep({ index, id: null, reason: 'DAMAGED', toIndex }),
    lowest: () => lowest,
    all: () => [...faults.values()].sort((a, b) => a.index - b.index),
  };
}
