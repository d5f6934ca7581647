import fc from 'fast-check';
import type { KindVersion } from '../definition.ts';
import { MAX_ERASURE_TARGETS } from '../erasure.v1.ts';
import type { Fields, Form } from '../field-types.ts';

/** Generators of valid field values, derived from the definitions. */

interface MadeUp {
  readonly core: Record<string, unknown>;
  readonly detail: Record<string, unknown>;
}

const FIRST = Date.UTC(1970, 0, 1);
const LAST = Date.UTC(2299, 0, 1) - 1;

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const hex = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

const ranges = fc
  .array(fc.tuple(fc.nat(10_000), fc.nat(MAX_ERASURE_TARGETS / 10 - 1)), { maxLength: 10 })
  .map((pairs) => pairs.map(([from, length]) => [from, from + length]));

function madeUp(form: Form): fc.Arbitrary<unknown> {
  switch (form.is) {
    case 'text':
      return text;
    case 'shortText':
      return text.map((value) => value.slice(0, form.most).toWellFormed());
    case 'flag':
      return fc.boolean();
    case 'number':
      // Canonical JSON cannot represent negative zero.
      return fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0);
    case 'whole':
      return fc.oneof(fc.constantFrom(0, 1, form.most), fc.nat(Math.min(form.most, 0x7fffffff)));
    case 'time':
      return fc.integer({ min: FIRST, max: LAST }).map((at) => new Date(at).toISOString());
    case 'hash':
      return hex;
    case 'ranges':
      return ranges;
    case 'oneOf':
      return fc.constantFrom(...form.values);
    case 'nullable':
      return fc.option(madeUp(form.of), { nil: null });
    case 'list':
      return fc.array(madeUp(form.of), { maxLength: Math.min(form.most ?? 4, 4) });
    case 'object':
      return madeUpObject(form.fields, form.optional);
  }
}

const arbitraries = (fields: Fields): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, { form }]) => [name, madeUp(form)]));

const fieldsOf = (fields: Fields): fc.Arbitrary<Record<string, unknown>> => fc.record(arbitraries(fields));

const madeUpObject = (fields: Fields, optional: Fields): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(fieldsOf(fields), fc.record(arbitraries(optional), { requiredKeys: [] }))
    .map(([all, some]) => ({ ...all, ...some }));

/** Core and detail of any shape of the version. */
export const contentOf = ({ shapes }: KindVersion): fc.Arbitrary<MadeUp> =>
  fc.oneof(
    ...shapes.map(({ core, detail, optionalDetail = {} }) =>
      fc.record({ core: fieldsOf(core), detail: madeUpObject(detail, optionalDetail) }),
    ),
  );

/** Values that are invalid for a field of this form. */
export function strangersOf(form: Form): readonly unknown[] {
  const others: unknown[] = [
    undefined,
    {},
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    [undefined],
    Symbol.iterator,
  ];
  if (form.is === 'nullable') return strangersOf(form.of).filter((value) => value !== null);
  if (form.is === 'object') return [...others, null, [], 'x', { ...form.fields, more: 1 }];
  if (form.is === 'list' || form.is === 'ranges') return [...others, null, 'x', ['\ud800'], [[2, 1]]];
  if (form.is === 'flag') return [...others, null, 0, 'true'];
  if (form.is === 'number') return [...others, null, '1', true];
  if (form.is === 'whole') return [...others, null, -1, 0.5, form.most + 1, '1'];
  if (form.is === 'time') return [...others, null, '2026-01-01T00:00:00Z', '2026-02-30T00:00:00.000Z', 0];
  if (form.is === 'hash') return [...others, null, 'AB'.repeat(32), 'ab'.repeat(31), 0];
  if (form.is === 'oneOf') return [...others, null, `${form.values[0]} `, 0];
  return form.is === 'shortText' ? [...others, null, 0, 'x'.repeat(form.most + 1)] : [...others, null, 0];
}
