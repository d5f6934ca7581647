import { groupBy } from '#schemas/group-by.ts';
import type { DataFolder } from '../../samples/data-folder.ts';
import type { EvaluatedItem } from '../../samples/items.ts';
import { isLeftOut } from './left-out-sources.ts';
import { ORDINARY, ordinarySample } from './ordinary-texts.ts';

/** A match of a web detector; a hint if its confidence is below 0.5. */
interface Found {
  readonly code: string;
  readonly confidence: number;
}
type FindWeb = (text: string) => readonly Found[];

interface RequestCase {
  readonly text: string;
  readonly label: 'positive' | 'negative';
  readonly source: string;
}

const ATTACKS = [
  ['web/sqli-http.jsonl', 'SQL injection in requests', 'CODE_INJECTION'],
  ['web/rce.jsonl', 'code execution in requests', 'CODE_INJECTION'],
  ['web/ssrf.jsonl', 'SSRF in requests', 'SSRF'],
  ['web/xss-http.jsonl', 'XSS in requests', 'XSS'],
] as const;
/** Maximum share of ordinary requests, and of ordinary texts, that may be flagged at the threshold. */
const ALLOWED = 0.01;
/** Matches are acted upon from this confidence. */
const FOUND = 0.5;

const scoreOf = (found: readonly Found[], code?: string): number =>
  Math.max(0, ...found.flatMap((one) => (code === undefined || one.code === code ? [one.confidence] : [])));

/**
 * The lowest threshold that at most 1 % of these scores reach; at least 0.01, so that a text without matches never
 * reaches it.
 */
function thresholdOf(scores: readonly number[]): number {
  const sorted = scores.toSorted((a, b) => b - a);
  const limit = sorted[Math.floor(sorted.length * ALLOWED)] ?? 0;
  return Math.max(0.01, limit + 1e-9);
}

const half = (source: string): string => (isLeftOut(source) ? 'left out' : 'tuned on');
const shareFrom = (scores: readonly number[], threshold: number): number =>
  scores.length === 0 ? 0 : scores.filter((score) => score >= threshold).length / scores.length;

function flaggedRows(item: string, scores: readonly number[], how: string): EvaluatedItem[] {
  const row = (suffix: string, threshold: number, first: number | null): EvaluatedItem => ({
    item: `${item}${suffix}`,
    figure: 'share flagged',
    value: shareFrom(scores, threshold),
    first,
    goal: null,
    better: 'LOWER',
    how: `${how}, ${scores.length} texts, any code of web attacks`,
  });
  return [row('', FOUND, ALLOWED), row(', hints included', 0.01, null)];
}

function recallRow(
  item: string,
  scores: readonly number[],
  threshold: number,
  first: number | null,
): EvaluatedItem {
  return {
    item,
    figure: 'recall',
    value: shareFrom(scores, threshold),
    first,
    goal: null,
    better: 'HIGHER',
    how: `${scores.length} texts, at a confidence of ${threshold.toFixed(2)}, which 1 % of ordinary requests and texts reach; from 0.5: ${shareFrom(scores, FOUND).toFixed(3)}`,
  };
}

function bySource(cases: readonly RequestCase[]): ReadonlyMap<string, readonly RequestCase[]> {
  const groups = groupBy(cases, ({ source }) => source);
  return new Map([...groups].sort(([a], [b]) => (half(a) + a < half(b) + b ? -1 : 1)));
}

function rowsOfFile(
  cases: readonly RequestCase[],
  [item, code]: readonly [string, string],
  find: FindWeb,
  threshold: number,
): EvaluatedItem[] {
  const targets = new Map([
    ['SQL injection in requests', 0.4],
    ['code execution in requests', 0.4],
    ['XSS in requests', 0.6],
  ]);
  const positives = cases.filter(({ label }) => label === 'positive');
  const negatives = cases.filter(({ label }) => label === 'negative');
  const scores = new Map(positives.map((one) => [one, scoreOf(find(one.text), code)]));
  const scoresOf = (some: readonly RequestCase[]): number[] => some.map((one) => scores.get(one)!);
  const halves = ['left out', 'tuned on'].map((name) =>
    recallRow(
      `${item}, sources ${name}`,
      scoresOf(positives.filter(({ source }) => half(source) === name)),
      threshold,
      name === 'left out' ? (targets.get(item) ?? null) : null,
    ),
  );
  const each = [...bySource(positives)].map(([source, some]) =>
    recallRow(`${item}: ${source}, ${half(source)}`, scoresOf(some), threshold, null),
  );
  const harmless = [...bySource(negatives)].map(([source, some]): EvaluatedItem => {
    const found = some.map(({ text }) => scoreOf(find(text)));
    return {
      item: `${item}, look-alikes: ${source}, ${half(source)}`,
      figure: 'share flagged',
      value: shareFrom(found, threshold),
      first: null,
      goal: null,
      better: 'LOWER',
      how: `${some.length} texts, at a confidence of ${threshold.toFixed(2)}; from 0.5: ${shareFrom(found, FOUND).toFixed(3)}`,
    };
  });
  return [...halves, ...each, ...harmless];
}

/** Recall of payloads inside requests by source, and false positives on ordinary requests, code and documents. */
export function requestAttacks(data: DataFolder, find: FindWeb): EvaluatedItem[] {
  const requests = data.cases<RequestCase>('web/benign-requests.jsonl');
  const ofRequests = requests.map(({ text, source }) => ({ source, score: scoreOf(find(text)) }));
  const ordinary = ORDINARY.map((file) => ({
    file,
    scores: ordinarySample(data, file).map((parts) =>
      Math.max(0, ...parts.map((part) => scoreOf(find(part)))),
    ),
  }));
  const leftOut = ofRequests.filter(({ source }) => isLeftOut(source)).map(({ score }) => score);
  const threshold = Math.max(
    thresholdOf(leftOut),
    thresholdOf(ofRequests.map(({ score }) => score)),
    thresholdOf(ordinary.flatMap(({ scores }) => scores)),
  );
  return [
    ...flaggedRows('ordinary requests, sources left out', leftOut, 'web/benign-requests'),
    ...flaggedRows(
      'ordinary requests, sources tuned on',
      ofRequests.filter(({ source }) => !isLeftOut(source)).map(({ score }) => score),
      'web/benign-requests',
    ),
    ...ordinary.flatMap(({ file, scores }) =>
      flaggedRows(`attacks in ordinary texts: ${file}`, scores, 'drawn by chance, seed 38'),
    ),
    ...ATTACKS.flatMap(([file, item, code]) =>
      rowsOfFile(data.cases<RequestCase>(file), [item, code], find, threshold),
    ),
  ];
}
