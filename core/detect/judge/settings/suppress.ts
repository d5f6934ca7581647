import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import type { SuppressionReason } from '#schemas/vocabulary.ts';
import type { Finding } from '../../find/finding.ts';
import type { Reading } from '../../find/search/reading.ts';
import { settled } from '../../find/search/search.ts';
import type { CompiledSettings } from './detection-settings.ts';

type Lists = readonly (readonly Finding[])[];

/** Counts what is suppressed in an audit: few kinds, however many findings. */
export class SuppressedCounts {
  readonly #counts = new Map<string, { readonly kind: Omit<Suppression, 'count'>; count: number }>();

  add(reason: SuppressionReason, { detector, code, entity }: Finding): void {
    const key = `${reason} ${detector} ${code} ${entity ?? ''}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else {
      const kind = { reason, detector, code, ...(entity === null ? {} : { type: entity }) };
      this.#counts.set(key, { kind, count: 1 });
    }
  }

  /** In an order that does not depend on the text's. */
  list(): Suppression[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { kind, count }]) => ({ ...kind, count }));
  }
}

/**
 * The lists of a reading without what is switched off, as if its detector had not found it: another one's finding on the
 * same characters, which lost against it, takes its place.
 */
export function withoutOff(
  reading: Reading,
  lists: Lists,
  { whyOff }: CompiledSettings,
  counts: SuppressedCounts,
): Lists {
  if (whyOff === null) return lists;
  let isAny = false;
  for (const list of lists) {
    for (const finding of list) {
      const reason = whyOff(finding);
      if (reason === null) continue;
      counts.add(reason, finding);
      isAny = true;
    }
  }
  if (!isAny) return lists;
  const isOn = (finding: Finding): boolean => whyOff(finding) === null;
  return settled({
    early: reading.early.filter(isOn),
    found: reading.found.filter(isOn),
    text: reading.text,
  });
}

/** The findings whose values are not allowed; `text` is the one that their places count in. */
export function withoutAllowed(
  findings: readonly Finding[],
  text: string,
  { whyAllowed }: CompiledSettings,
  counts: SuppressedCounts,
): readonly Finding[] {
  if (whyAllowed === null) return findings;
  return findings.filter((finding) => {
    const reason = whyAllowed(finding, text);
    if (reason !== null) counts.add(reason, finding);
    return reason === null;
  });
}
