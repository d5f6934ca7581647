import type { DataFolder } from '../../samples/data-folder.ts';
import type { EvaluatedItem } from '../../samples/items.ts';
import { isLeftOut } from './left-out-sources.ts';
import { ORDINARY, ordinarySample } from './ordinary-texts.ts';

interface Found {
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
}
type FindSecrets = (text: string) => readonly Found[];

interface SecretCase {
  readonly text: string;
  readonly label: 'positive' | 'negative';
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

const FOUND = 0.5;
const half = (source: string): string => (isLeftOut(source) ? 'left out' : 'tuned on');

const coversHalf = (found: Found, { start, end }: SecretCase): boolean =>
  found.confidence >= FOUND && Math.min(found.end, end) - Math.max(found.start, start) >= 0.5 * (end - start);

function row(
  name: string,
  cases: readonly SecretCase[],
  find: FindSecrets,
  label: SecretCase['label'],
  isTarget: boolean,
): EvaluatedItem[] {
  const some = cases.filter((one) => one.label === label);
  if (some.length === 0) return [];
  const isPositive = label === 'positive';
  const hits = some.filter((one) =>
    isPositive
      ? find(one.text).some((found) => coversHalf(found, one))
      : find(one.text).some(({ confidence }) => confidence >= FOUND),
  );
  return [
    {
      item: `secrets${isPositive ? '' : ', look-alikes'}: ${name}`,
      figure: isPositive ? 'recall' : 'share flagged',
      value: hits.length / some.length,
      first: isTarget ? (isPositive ? 0.85 : 0.1) : null,
      goal: null,
      better: isPositive ? 'HIGHER' : 'LOWER',
      how: `secrets/unknown-formats, ${some.length} texts${isPositive ? '; half of the value covered' : ''}`,
    },
  ];
}

/**
 * Recall of secrets in formats that detection was not written for, by source, and false positives on ordinary texts.
 */
export function secretsBySource(data: DataFolder, find: FindSecrets): EvaluatedItem[] {
  const cases = data.cases<SecretCase>('secrets/unknown-formats.jsonl');
  const sources = [...new Set(cases.map(({ source }) => source))].sort();
  const rows = (name: string, some: readonly SecretCase[], isTarget: boolean): EvaluatedItem[] => [
    ...row(name, some, find, 'positive', isTarget),
    ...row(name, some, find, 'negative', isTarget),
  ];
  return [
    ...['left out', 'tuned on'].flatMap((name) =>
      rows(
        `sources ${name}`,
        cases.filter(({ source }) => half(source) === name),
        name === 'left out',
      ),
    ),
    ...sources.flatMap((source) =>
      rows(
        `${source}, ${half(source)}`,
        cases.filter((one) => one.source === source),
        false,
      ),
    ),
    ...ORDINARY.map((file): EvaluatedItem => {
      const texts = ordinarySample(data, file);
      const flagged = texts.filter((parts) =>
        parts.some((part) => find(part).some(({ confidence }) => confidence >= FOUND)),
      );
      return {
        item: `secrets in ordinary texts: ${file}`,
        figure: 'share flagged',
        value: flagged.length / texts.length,
        first: null,
        goal: null,
        better: 'LOWER',
        how: `${texts.length} texts drawn by chance; some of them hold real credentials of examples`,
      };
    }),
  ];
}
