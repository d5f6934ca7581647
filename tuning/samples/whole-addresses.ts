import type { LabelledSpan } from './spans.ts';

interface Labelled {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

const PARTS: ReadonlySet<string> = new Set(['STREET_ADDRESS', 'ADDRESS', 'GPE', 'LOCATION', 'ZIP_CODE']);
const STREETS: ReadonlySet<string> = new Set(['STREET_ADDRESS', 'ADDRESS']);
const BETWEEN = /^[\s,>?\-:]*$/;

/**
 * Joins labels separated only by spaces and punctuation into one address: house number, street, unit, town, postcode.
 */
export function wholeAddresses({ text, spans }: Labelled): readonly LabelledSpan[] {
  const parts = spans.filter(({ type }) => PARTS.has(type)).sort((a, b) => a.start - b.start);
  const clusters: LabelledSpan[][] = [];
  for (const part of parts) {
    const last = clusters.at(-1);
    const end = last?.at(-1)?.end;
    if (last !== undefined && BETWEEN.test(text.slice(end, part.start))) last.push(part);
    else clusters.push([part]);
  }
  return clusters
    .filter((cluster) => cluster.some(({ type }) => STREETS.has(type)))
    .map((cluster) => ({ type: 'ADDRESS', start: cluster[0]!.start, end: cluster.at(-1)!.end }));
}

/** Joins matches within the same whole address; the others are unchanged. */
export function mergedInto(
  wholes: readonly LabelledSpan[],
  found: readonly LabelledSpan[],
): readonly LabelledSpan[] {
  const merged = new Map<LabelledSpan, LabelledSpan>();
  const others: LabelledSpan[] = [];
  for (const find of found) {
    if (find.type !== 'ADDRESS') continue;
    const whole = wholes.find(({ start, end }) => find.start < end && find.end > start);
    if (whole === undefined) {
      others.push(find);
      continue;
    }
    const before = merged.get(whole);
    merged.set(whole, {
      type: 'ADDRESS',
      start: Math.min(find.start, before?.start ?? find.start),
      end: Math.max(find.end, before?.end ?? find.end),
    });
  }
  return [...merged.values(), ...others];
}
