import type { ErasureScope } from '../../../schemas/events/events.ts';
import type { EntryRow, SignalRow } from '../../../schemas/tables/tables.ts';

/** Revision of a blank row and the position of the record that blanked it. */
export interface BlankedBy {
  readonly revision: number;
  readonly epoch: number;
  readonly offset: number;
}

/**
 * The row of a signal without what an erasure takes. Sort key, acceptedAt and the place in the chain stay. What an
 * earlier erasure of scope ALL took does not come back with a later one of scope DETAIL.
 */
export function blankSignal(row: SignalRow, scope: ErasureScope, by: BlankedBy): SignalRow {
  const all = scope === 'ALL' || row.erased === 'ALL';
  const detailGone: SignalRow = {
    ...row,
    ...by,
    erased: all ? 'ALL' : 'DETAIL',
    reasoning: null,
    detections: '[]',
    payloadDigest: null,
    detailSalt: '',
  };
  if (!all) return detailGone;
  return {
    ...detailGone,
    sandboxId: '',
    sandboxSlug: '',
    provider: '',
    model: '',
    region: '',
    riskLevel: '',
    violations: [],
    regulation: [],
    piiDetected: false,
    confidence: 0,
    alert: false,
    policyVersion: null,
    source: '',
    attempts: 0,
    promptTokens: null,
    outputTokens: null,
    hasThinkingBlock: false,
    durationMs: 0,
    coreSalt: '',
  };
}

/** The row of another entry without what an erasure takes. The core of an ERASURE stays whatever the scope. */
export function blankEntry(row: EntryRow, scope: ErasureScope, by: BlankedBy): EntryRow {
  const all = row.kind !== 'ERASURE' && (scope === 'ALL' || row.erased === 'ALL');
  const detailGone: EntryRow = {
    ...row,
    ...by,
    erased: all ? 'ALL' : 'DETAIL',
    detail: null,
    detailSalt: '',
  };
  return all ? { ...detailGone, core: null, coreSalt: '' } : detailGone;
}
