import { deserialize, serialize } from 'node:v8';
import type { Found } from '#core/detect/detect.ts';
import type { Match } from '#core/detect/find/match.ts';
import type { Searched } from './lists.ts';
import type { ToDetect } from './port.ts';

/** Texts and matches as bytes, for threads: bytes can be transferred, and the pool does not inspect them. */
export type Task = Pick<ToDetect, 'texts' | 'customRules' | 'settings'>;

/** V8's own format preserves strings exactly, including lone surrogates. */
export const writeTasks = (tasks: readonly Task[]): Uint8Array =>
  serialize(tasks.map(({ texts, customRules, settings }) => ({ texts, customRules, settings })));

export const readTasks = (bytes: Uint8Array): readonly Task[] => deserialize(bytes) as Task[];

/** Everything about a match except its span: a list has many matches of few kinds. */
type Kind = Omit<Match, 'start' | 'end'>;

interface Packed {
  readonly kinds: readonly Kind[];
  /** Kind, start and end of each match, audit by audit. */
  readonly spans: Uint32Array;
  /** One per audit. */
  readonly audits: readonly { readonly matches: number; readonly suppressed: Found['suppressed'] }[];
  readonly durationMs: number;
}

const PER_MATCH = 3;

export function writeSearched({ found, durationMs }: Searched): Uint8Array {
  const indexes = new Map<string, number>();
  const kinds: Kind[] = [];
  const spans = new Uint32Array(found.reduce((sum, { matches }) => sum + matches.length, 0) * PER_MATCH);
  let at = 0;
  for (const { matches } of found) {
    for (const { start, end, ...kind } of matches) {
      const name = JSON.stringify(kind);
      let index = indexes.get(name);
      if (index === undefined) {
        index = kinds.push(kind) - 1;
        indexes.set(name, index);
      }
      spans.set([index, start, end], at);
      at += PER_MATCH;
    }
  }
  const audits = found.map(({ matches, suppressed }) => ({
    matches: matches.length,
    suppressed,
  }));
  const packed: Packed = { kinds, spans, audits, durationMs };
  return serialize(packed);
}

/** Matches read between two yields. */
const STRETCH = 5_000;

/** Yields regularly: a text of 2 MiB may have 300,000 matches. */
export function* readSearched(bytes: Uint8Array): Generator<void, Searched> {
  const { kinds, spans, audits, durationMs } = deserialize(bytes) as Packed;
  const found: Found[] = [];
  let at = 0;
  for (const { matches: count, suppressed } of audits) {
    const matches: Match[] = [];
    for (const end = at + count * PER_MATCH; at < end; at += PER_MATCH) {
      if (matches.length % STRETCH === STRETCH - 1) yield;
      matches.push({ ...kinds[spans[at]!]!, start: spans[at + 1]!, end: spans[at + 2]! });
    }
    found.push({ matches, suppressed });
  }
  return { found, durationMs };
}
