import { deserialize, serialize } from 'node:v8';
import type { Found } from '#core/detect/detect.ts';
import type { Finding } from '#core/detect/finding.ts';
import type { Detected, ToDetect } from './port.ts';

/** Texts and findings as bytes, for threads: bytes move between threads, and one in between does not look at them. */
type Task = Pick<ToDetect, 'texts' | 'customRules' | 'settings'>;

/** V8's own format keeps strings as they are, lone surrogates too. */
export const writeTask = ({ texts, customRules, settings }: Task): Uint8Array =>
  serialize({ texts, customRules, settings });

export const readTask = (bytes: Uint8Array): Task => deserialize(bytes) as Task;

/** Everything of a finding but its place: a long text has many findings of few kinds. */
type Kind = Omit<Finding, 'start' | 'end'>;

interface Packed {
  readonly kinds: readonly Kind[];
  /** Kind, start and end of each finding. */
  readonly places: Uint32Array;
  readonly suppressed: Found['suppressed'];
}

const PER_FINDING = 3;

export function writeFound({ findings, suppressed }: Found): Uint8Array {
  const indexes = new Map<string, number>();
  const kinds: Kind[] = [];
  const places = new Uint32Array(findings.length * PER_FINDING);
  let at = 0;
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
  const packed: Packed = { kinds, places, suppressed };
  return serialize(packed);
}

/** Findings read between two yields. */
const STRETCH = 5_000;

/** Yields regularly: a text of 2 MiB may have 300,000 findings. */
export function* readFound(bytes: Uint8Array): Generator<void, Omit<Detected, 'durationMs'>> {
  const { kinds, places, suppressed } = deserialize(bytes) as Packed;
  const findings: Finding[] = [];
  for (let at = 0; at < places.length; at += PER_FINDING) {
    if (findings.length % STRETCH === STRETCH - 1) yield;
    findings.push({ ...kinds[places[at]!]!, start: places[at + 1]!, end: places[at + 2]! });
  }
  return { findings, suppressed };
}
