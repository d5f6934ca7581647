import type { ChainFault } from '#schemas/api/evidence/hash-chain.ts';

/** Faults of a verification, at most `limit` of them and one per index; the lowest is always kept. */
interface FaultList {
  report(index: number, id: string | null, reason: ChainFault['reason']): void;
  lowest(): ChainFault | null;
  /** Ascending by index. */
  all(): ChainFault[];
}

export function createFaultList(limit: number): FaultList {
  const faults = new Map<number, ChainFault>();
  let lowest: ChainFault | null = null;
  return {
    report: (index, id, reason) => {
      const known = faults.get(index);
      // A missing row says more than the content that it left behind; otherwise the first fault counts.
      if (known !== undefined && !(known.reason === 'EXTRA' && reason === 'MISSING')) return;
      const fault: ChainFault = { index, id, reason };
      if (known !== undefined || faults.size < limit) faults.set(index, fault);
      if (lowest === null || index <= lowest.index) lowest = fault;
    },
    lowest: () => lowest,
    all: () => [...faults.values()].sort((a, b) => a.index - b.index),
  };
}
