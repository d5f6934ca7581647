import type { Finding } from '../finding.ts';
import type { Similarity } from '../state/clusters.ts';
import type { Counters } from '../state/counters.ts';
import { openWindows } from '../state/counters.ts';
import { type Evidence, extremesOf, type Member } from '../state/evidence.ts';
import { type CorrelationSettings, RULES_VERSION } from '../state/rules.ts';
import type { Key, Span, Tally, Window } from '../state/shapes.ts';
import type { FoldState } from './fold-state.ts';
import type { SavedKeys } from './saved-keys.ts';
import { walkKeys } from './saved-keys.ts';

/** Count, indexes into `members`, first and last time, highest rank. */
export type SavedEvidence = readonly [number, readonly number[], number, number, number];

export interface SavedTally {
  /** Index among the keys, in the order in which they are saved. */
  readonly key: number;
  readonly evidence: SavedEvidence;
  readonly total: number;
  readonly parts: readonly number[];
  readonly partTotals: readonly number[];
  readonly look: number;
}

export interface SavedWindow {
  readonly span: Span;
  readonly start: number;
  readonly lengthMs: number;
  readonly tallies: readonly SavedTally[];
  readonly clusters: {
    readonly prompts: number;
    readonly nextId: number;
    readonly single: readonly number[];
    readonly all: readonly (readonly [number, string, SavedEvidence, number])[];
  } | null;
}

type SavedFinding = readonly [string, Finding, SavedEvidence, string, number, number];

/** The whole fold as plain data for JSON. Refused if its `rules` version differs. */
export interface FoldSnapshot {
  readonly rules: number;
  readonly next: number;
  readonly watermark: number;
  readonly sweptDay: number;
  readonly isClosed: boolean;
  readonly late: number;
  readonly shut: Readonly<Record<Span, number>>;
  readonly settings: CorrelationSettings;
  /** null: no signal yet. */
  readonly since: number | null;
  readonly keys: SavedKeys;
  /** Every signal once: index, id, time, rank. */
  readonly members: readonly (readonly [number, string, number, number])[];
  readonly windows: readonly SavedWindow[];
  readonly open: readonly SavedFinding[];
  readonly closed: readonly SavedFinding[];
}

export function snapshotOf(state: FoldState): FoldSnapshot {
  const { counters, findings, next, watermark, sweptDay, isClosed, late, shut } = state;
  const { saved, indexes } = walkKeys(counters.keys);
  const members = new MemberTable();
  const { textOf } = counters.similarity;
  const windows = openWindows(counters).map((window) => savedWindow(window, indexes, members, textOf));
  const kept = (all: FoldState['findings']['open']): SavedFinding[] =>
    [...all].map(([index, { finding, evidence, description, erased, foundAt }]) => [
      index,
      finding,
      members.save(evidence),
      description,
      erased,
      foundAt,
    ]);
  const [open, closed] = [kept(findings.open), kept(findings.closed)];
  return {
    rules: RULES_VERSION,
    next,
    watermark,
    sweptDay,
    isClosed,
    late,
    shut: { ...shut },
    settings: counters.settings,
    since: sinceOf(counters),
    keys: saved,
    members: members.rows,
    windows,
    open,
    closed,
  };
}

const sinceOf = ({ since }: Counters): number | null => (Number.isFinite(since) ? since : null);

/** Saves signals that several tallies and findings share only once. */
class MemberTable {
  readonly rows: [number, string, number, number][] = [];
  readonly #indexes = new Map<number, number>();

  save(evidence: Evidence): SavedEvidence {
    const { count, members } = evidence;
    const { firstAt, lastAt, rank } = extremesOf(evidence);
    return [count, members.map((member) => this.#indexOf(member)), firstAt, lastAt, rank];
  }

  #indexOf({ index, id, at, rank }: Member): number {
    const known = this.#indexes.get(index);
    if (known !== undefined) return known;
    this.#indexes.set(index, this.rows.length);
    return this.rows.push([index, id, at, rank]) - 1;
  }
}

function savedWindow(
  { span, start, lengthMs, tallies, clusters }: Window,
  indexes: ReadonlyMap<Key, number>,
  members: MemberTable,
  textOf: Similarity['textOf'],
): SavedWindow {
  return {
    span,
    start,
    lengthMs,
    tallies: tallies.map((tally) => savedTally(tally, indexes, members)),
    clusters:
      clusters === null
        ? null
        : {
            prompts: clusters.prompts,
            nextId: clusters.nextId,
            single: [...clusters.single],
            all: [...clusters.byId.values()].map(({ id, digits, evidence, look }) => [
              id,
              textOf(digits),
              members.save(evidence),
              look,
            ]),
          },
  };
}

const savedTally = (tally: Tally, indexes: ReadonlyMap<Key, number>, members: MemberTable): SavedTally => ({
  key: indexes.get(tally.key)!,
  evidence: members.save(tally),
  total: tally.total,
  parts: [...tally.parts],
  partTotals: [...tally.partTotals],
  look: tally.look,
});
