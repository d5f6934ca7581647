import { LEDGER_KINDS } from '../vocabulary.ts';
import { defineVersion, type EntryOf } from './definition.ts';
import { fieldType, flag, isCount, listOf, nullable, oneOf, text } from './field-types.ts';

export const ERASURE_SCOPES = ['ALL', 'DETAIL'] as const;
export type ErasureScope = (typeof ERASURE_SCOPES)[number];

/** Maximum number of entries named by one ERASURE. */
export const MAX_ERASURE_TARGETS = 5_000;

type Ranges = readonly (readonly [from: number, to: number])[];

const isRange = (value: unknown): value is Ranges[number] =>
  Array.isArray(value) && value.length === 2 && value.every(isCount) && value[0]! <= value[1]!;

const ranges = fieldType<Ranges>(
  { is: 'ranges' },
  (value) =>
    Array.isArray(value) &&
    value.every(isRange) &&
    value.reduce((sum, [from, to]) => sum + to - from + 1, 0) <= MAX_ERASURE_TARGETS,
);

/** Entries to blank from here on. Its own core survives every erasure, even one that names its kind. */
export const ERASURE_V1 = defineVersion({
  kind: 'ERASURE',
  v: 1,
  shapes: [
    {
      core: {
        /** Inclusive index ranges; a target at or above the erasure's own index is ignored. */
        ranges,
        /** Only entries of these kinds are blanked. */
        kinds: listOf(oneOf(...LEDGER_KINDS)),
        scope: oneOf(...ERASURE_SCOPES),
        reason: text,
        basis: nullable(text),
        policyId: nullable(text),
        /** True: the customer is closed; every later entry folds blank. */
        closing: flag,
      },
      detail: { actor: text },
    },
  ],
  // Before this definition existed, the detail was stored unchecked.
  stored: { core: 'CLOSED', detail: 'OBJECTS' },
});

export type ErasureCore = EntryOf<typeof ERASURE_V1>['core'];
