import type { LabelledSpan, Score } from '../samples/spans.ts';
import { wholeAddresses } from '../samples/whole-addresses.ts';

const covers = (spans: readonly LabelledSpan[], start: number, end: number): boolean =>
  spans.some((span) => span.start < end && span.end > start);

/**
 * Scores words by whether they are part of a value of any type. Towns and postcodes next to a street are part of the
 * address by some definitions and not by others, so they do not count.
 */
export function anyTokenScore(
  labelled: { readonly text: string; readonly spans: readonly LabelledSpan[] },
  expected: readonly LabelledSpan[],
  found: readonly LabelledSpan[],
): Score {
  const addresses = wholeAddresses(labelled);
  let [hits, missed, wrong] = [0, 0, 0];
  for (const { 0: word, index } of labelled.text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const end = index + word.length;
    const isExpected = covers(expected, index, end);
    const isFound = covers(found, index, end);
    if (isExpected && isFound) hits++;
    else if (isExpected) missed++;
    else if (isFound && !covers(addresses, index, end)) wrong++;
  }
  return { hits, missed, wrong };
}
