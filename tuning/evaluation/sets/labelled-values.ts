import { type SeededRandom, seededRandom } from '../../samples/random.ts';
import type { LabelledSpan } from '../../samples/spans.ts';
import { DEVICES } from './devices.ts';
import { NATIONAL } from './documents.ts';
import type { Kind } from './kind.ts';
import { KINDS } from './kinds.ts';
import { HELD_LAYOUTS, TUNED_LAYOUTS } from './label-layouts.ts';
import type { Maker } from './values.ts';

export interface Case {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

const words = (label: string): string[] =>
  label
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f']/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
const keyOf = (label: string): string => words(label).join('_');
const camelOf = (label: string): string =>
  words(label)
    .map((word, i) => (i === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('');

/** A filled-in layout, with the span of the value. */
export function placed(layout: string, label: string, value: string, type: string): Case {
  const filled = layout
    .replaceAll('{l}', () => label)
    .replaceAll('{key}', () => keyOf(label))
    .replaceAll('{camel}', () => camelOf(label));
  const start = filled.indexOf('{v}');
  return {
    text: filled.replaceAll('{v}', () => value),
    spans: [{ type, start, end: start + value.length }],
  };
}

const PER_KIND = 60;

function named(kind: Kind, held: boolean, random: SeededRandom): readonly [string, Maker] {
  const groups = kind.entity === 'NATIONAL_ID' ? NATIONAL : kind.entity === 'DEVICE_ID' ? DEVICES : null;
  if (groups === null) return [random.pick(held ? kind.labels.held : kind.labels.tuned), kind.make];
  const [labels, make] = random.pick(groups);
  return [held ? random.pick(labels) : labels[0]!, make];
}

/**
 * Labelled values in many layouts, and texts that only mention them. `held`: use labels and layouts held out of tuning.
 */
export function labelledValues(held: boolean, seed: number): Case[] {
  const random = seededRandom(seed);
  const layouts = held ? HELD_LAYOUTS : TUNED_LAYOUTS;
  return KINDS.flatMap((kind) => [
    ...Array.from({ length: PER_KIND }, () => {
      const [label, make] = named(kind, held, random);
      return placed(random.pick(layouts), label, make(random), kind.entity);
    }),
    ...(held ? kind.none.held : kind.none.tuned).map((text) => ({ text, spans: [] })),
  ]);
}
