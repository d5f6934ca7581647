import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import type { SuppressionReason } from '#schemas/vocabulary.ts';
import type { Match } from '../../find/match.ts';
import type { Reading } from '../../find/search/reading.ts';
import { settled } from '../../find/search/search.ts';
import type { CompiledSettings } from './detection-settings.ts';

type Lists = readonly (readonly Match[])[];

/** Counts an audit's suppressed matches by kind. There are few kinds, however many matches. */
export class SuppressedCounts {
  readonly #counts = new Map<string, { readonly kind: Omit<Suppression, 'count'>; count: number }>();

  add(reason: SuppressionReason, { detector, code, entity }: Match): void {
    const key = `${reason} ${detector} ${code} ${entity ?? ''}`;
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else {
      const kind = { reason, detector, code, ...(entity === null ? {} : { type: entity }) };
      this.#counts.set(key, { kind, count: 1 });
    }
  }

  /** Ordered independently of the text. */
  list(): Suppression[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { kind, count }]) => ({ ...kind, count }));
  }
}

/**
 * The lists of a reading as if switched-off detectors had found nothing: an overlapping match that had lost to one of
 * theirs takes its place.
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
    for (const match of list) {
      const reason = whyOff(match);
      if (reason === null) continue;
      counts.add(reason, match);
      isAny = true;
    }
  }
  if (!isAny) return lists;
  const isOn = (match: Match): boolean => whyOff(match) === null;
  return settled({
    early: reading.early.filter(isOn),
    found: reading.found.filter(isOn),
    text: reading.text,
  });
}

/** The matches whose values are not allowed. Their offsets refer to `text`. */
export function withoutAllowed(
  matches: readonly Match[],
  text: string,
  { whyAllowed }: CompiledSettings,
  counts: SuppressedCounts,
): readonly Match[] {
  if (whyAllowed === null) return matches;
  return matches.filter((match) => {
    const reason = whyAllowed(match, text);
    if (reason !== null) counts.add(reason, match);
    return reason === null;
  });
}
