import { z } from 'zod';
import { describe, expect, test } from '#jest';
import type { Refusal } from '#platform/flow/refusal.ts';
import { check } from './check.ts';

const schema = z.object({
  name: z.string(),
  note: z.string().optional(),
  level: z.enum(['LOW', 'HIGH']).default('LOW'),
  reset: z.string().nullable().optional(),
  inner: z.object({ count: z.int().optional(), list: z.array(z.string()).optional() }).optional(),
  either: z.union([z.string(), z.object({ a: z.string(), b: z.string().optional() })]).optional(),
});

function refusalOf(value: unknown, by: z.ZodType = schema): string {
  try {
    check(by, value);
  } catch (error) {
    return (error as Refusal).message;
  }
  throw new Error('it was taken');
}

describe('null of an optional field', () => {
  test('is read as absent, at any depth and in an alternative, and gets the default', () => {
    const sent = {
      name: 'x',
      note: null,
      level: null,
      inner: { count: null, list: null },
      either: { a: 'a', b: null },
    };
    const copy = structuredClone(sent);
    expect(check(schema, sent)).toEqual({ name: 'x', level: 'LOW', inner: {}, either: { a: 'a' } });
    expect(sent).toEqual(copy);
    expect(check(schema, { name: 'x', inner: null, either: null })).toEqual({ name: 'x', level: 'LOW' });
  });

  test('keeps its meaning if the schema gives it one', () => {
    expect(check(schema, { name: 'x', note: null, reset: null })).toEqual({
      name: 'x',
      level: 'LOW',
      reset: null,
    });
  });

  test('is cheap even many times', () => {
    const many = z.object({ items: z.array(z.object({ a: z.string().optional() })) });
    const items = Array.from({ length: 5_000 }, () => ({ a: null }));
    expect(check(many, { items }).items).toHaveLength(5_000);
  });
});

test('null in a required field, or in a list, is refused with what was sent', () => {
  expect(refusalOf({ name: null })).toBe('name: this field is required; null was sent');
  expect(refusalOf({})).toBe('name: this field is required');
  expect(refusalOf({ name: 'x', inner: { list: [null] } })).toContain('inner.list.0');
});

test.each([
  [{ text: '' }, 'text: Expected at least 1 character'],
  [{ text: 'xxxx' }, 'text: Expected at most 3 characters'],
  [{ code: 'x' }, 'code: Expected exactly 2 characters'],
  [{ share: -0.5 }, 'share: Expected at least 0'],
  [{ share: 1.5 }, 'share: Expected at most 1'],
  [{ ratio: 0 }, 'ratio: Expected more than 0'],
  [{ ratio: 9 }, 'ratio: Expected less than 9'],
  [{ whole: 2 ** 60 }, `whole: Expected at most ${Number.MAX_SAFE_INTEGER}`],
  [{ list: [] }, 'list: Expected at least 1 item'],
  [{ list: ['a', 'b', 'c'] }, 'list: Expected at most 2 items'],
])('the size of %j is refused with its bound', (value, message) => {
  const sized = z
    .object({
      text: z.string().min(1).max(3),
      code: z.string().length(2),
      share: z.number().min(0).max(1),
      ratio: z.number().positive().lt(9),
      whole: z.int(),
      list: z.array(z.string()).min(1).max(2),
    })
    .partial();
  expect(refusalOf(value, sized)).toBe(message);
});

test('an unknown name that stands for a required field is reported once', () => {
  const strict = z.strictObject({ sandbox: z.string(), userInput: z.string() });
  const sent = { sandboxSlug: 'support', prompt: 'Hello' };
  try {
    check(strict, sent);
  } catch (error) {
    const { details } = error as { details: readonly { path: string }[] };
    expect(details.map(({ path }) => path)).toEqual(['sandboxSlug', 'sandbox', 'userInput']);
    return;
  }
  throw new Error('it was accepted');
});
