import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import { LEDGER_KINDS } from '#schemas/vocabulary.ts';

/**
 * The core of an ERASURE as the verifier reads it, or null if it contains anything else: what it does not understand
 * must explain nothing. Independent of the fold's definition, like the rest of the verifier.
 */
export function readErasureCore(text: string): ErasureCore | null {
  const core = JSON.parse(text) as ErasureCore;
  if (typeof core !== 'object' || core === null) return null;
  if (Object.keys(core).sort().join() !== MEMBERS) return null;
  const { ranges, kinds, scope, reason, basis, policyId, closing } = core;
  if (!Array.isArray(ranges) || !ranges.every(isRange)) return null;
  const targets = ranges.reduce((sum, [from, to]) => sum + (to - from + 1), 0);
  if (targets > MAX_TARGETS) return null;
  if (!Array.isArray(kinds) || !kinds.every((kind) => LEDGER_KINDS.includes(kind))) return null;
  if (scope !== 'ALL' && scope !== 'DETAIL') return null;
  if (!isText(reason) || typeof closing !== 'boolean') return null;
  return [basis, policyId].every((value) => value === null || isText(value)) ? core : null;
}

const MEMBERS = 'basis,closing,kinds,policyId,ranges,reason,scope';
const MAX_TARGETS = 5_000;

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed();
const isIndex = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isIndex)) return false;
  const [from, to] = value as [number, number];
  return from <= to;
}
