import { deserialize, serialize } from 'node:v8';
import type { Found } from '#core/detect/detect.ts';
import type { Finding } from '#core/detect/find/finding.ts';
import type { Searched } from './lists.ts';
import type { ToDetect } from './port.ts';

/** Texts and findings as bytes, for threads: bytes move between threads, and one in between does not look at them. */
export type Task = Pick<ToDetect, 'texts' | 'customRules' | 'settings'>;

/** V8's own format keeps strings as they are, lone surrogates too. */
export const writeTasks = (tasks: readonly Task[]): Uint8Array =>
  serialize(tasks.map(({ texts, customRules, settings }) => ({ texts, customRules, settings })));

export const readTasks = (bytes: Uint8Array): readonly Task[] => deserialize(bytes) as Task[];

/** Everything of a finding but its place: a list has many findings of few kinds. */
type Kind = Omit<Finding, 'start' | 'end'>;

interface Packed {
  readonly kinds: readonly Kind[];
  /** Kind, start and end of each finding, of one audit after the other. */
  readonly places: Uint32Array;
  /** Of each audit. */
  readonly audits: readonly { readonly findings: number; readonly suppressed: Found['suppressed'] }[];
  readonly durationMs: number;
}

const PER_FINDING = 3;

export function writeSearched({ found, durationMs }: Searched): Uint8Array {
  const indexes = new Map<string, number>();
  const kinds: Kind[] = [];
  const places = new Uint32Array(found.reduce((sum, { findings }) => sum + findings.length, 0) * PER_FINDING);
  let at = 0;
  for (const { findings } of found) {
    for (const { start, end, ...kind } of findings) {
      const name = JSON.stringify(kind);
      let index = indexes.get(name);
      if (index === undefined) {
        index = kinds.push(kind) - 1;
        indexes.set(name, index);
      }
      places.set([index, start, end], at);
      at += PER_FINDING;
    }
  }
  const audits = found.map(({ findings, suppressed }) => ({ findings: findings.length, suppressed }));
  const packed: Packed = { kinds, places, audits, durationMs };
  return serialize(packed);
}

/** Findings read between two yields. */
const STRETCH = 5_000;

/** Yields regularly: a text of 2 MiB may have 300,000 findings. */
export function* readSearched(bytes: Uint8Array): Generator<void, Searched> {
  const { kinds, places, audits, durationMs } = deserialize(bytes) as Packed;
  const found: Found[] = [];
  let at = 0;
  for (const { findings: count, suppressed } of audits) {
    const findings: Finding[] = [];
    for (const end = at + count * PER_FINDING; at < end; at += PER_FINDING) {
      if (findings.length % STRETCH === STRETCH - 1) yield;
      findings.push({ ...kinds[places[at]!]!, start: places[at + 1]!, end: places[at + 2]! });
    }
    found.push({ findings, suppressed });
  }
  return { found, durationMs };
}
