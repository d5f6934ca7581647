import type { CorrelatedEntry } from '#core/correlate/state/entries.ts';
import type { CorrelationSettings } from '#core/correlate/state/rules.ts';
import type { FoldedEntry } from '#schemas/events/events.ts';
import type { ErasureCore } from '#schemas/ledger/erasure.v1.ts';
import type { SignalCore } from '#schemas/ledger/signal.v1.ts';

/** The fields of an entry that the fold into patterns reads. */
type ReadEntry = Pick<FoldedEntry, 'index' | 'kind' | 'core' | 'fingerprint'>;

/** An entry as patterns see it. A blank entry, or one of a kind unrelated to signals, only advances the index. */
export function correlatedEntry(entry: ReadEntry): CorrelatedEntry {
  const { kind, core } = entry;
  if (core === null) return otherEntry(entry);
  if (kind === 'SIGNAL') return signalEntry(entry, JSON.parse(core) as SignalCore);
  if (kind === 'ERASURE') return erasureEntry(entry, JSON.parse(core) as ErasureCore);
  if (kind === 'POLICY_EVENT') return settingsEntry(entry, JSON.parse(core) as PolicyEventCore);
  return otherEntry(entry);
}

const otherEntry = ({ index }: ReadEntry): CorrelatedEntry => ({ kind: 'OTHER', index });

const signalEntry = ({ index, fingerprint }: ReadEntry, core: SignalCore): CorrelatedEntry => ({
  kind: 'SIGNAL',
  index,
  id: core.auditId,
  createdAt: Date.parse(core.createdAt),
  acceptedAt: Date.parse(core.acceptedAt),
  riskLevel: core.riskLevel as 'LOW',
  violations: core.violations,
  sandboxId: core.sandboxId,
  sandboxSlug: core.sandboxSlug,
  provider: core.provider,
  model: core.model,
  fingerprint,
});

function erasureEntry(entry: ReadEntry, { ranges, kinds, scope, closing }: ErasureCore): CorrelatedEntry {
  if (!closing && !kinds.includes('SIGNAL')) return otherEntry(entry);
  return { kind: 'ERASURE', index: entry.index, ranges, scope, closing };
}

type PolicyEventCore = { readonly type: string } & CorrelationSettings;

function settingsEntry(
  entry: ReadEntry,
  { type, windowMinutes, minSignals, dimensions }: PolicyEventCore,
): CorrelatedEntry {
  if (type !== 'SETTINGS') return otherEntry(entry);
  return { kind: 'SETTINGS', index: entry.index, settings: { windowMinutes, minSignals, dimensions } };
}
