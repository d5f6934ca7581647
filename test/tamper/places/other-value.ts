import { isId } from '#schemas/api/fields/is-id.ts';
import * as vocabulary from '#schemas/vocabulary.ts';

/** A plausible replacement for a value: of the same kind, and not obviously wrong. */

const WORDS: readonly (readonly string[])[] = Object.values(vocabulary).flatMap((list) =>
  Array.isArray(list) && list.every((word) => typeof word === 'string') ? [list as string[]] : [],
);
const HEX = /^[0-9a-f]{16,}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const SECOND_MS = 1_000;

/** `others`: values of the same field in other records. */
export function otherValue(value: unknown, others: readonly unknown[] = []): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return Number.isInteger(value) ? value + 1 : value / 2;
  if (typeof value === 'string') return otherText(value, others);
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ['EMAIL'];
  if (value === null) return others.find((one) => one !== null) ?? 'changed';
  return {};
}

function otherText(text: string, others: readonly unknown[]): string {
  if (TIME.test(text)) return new Date(Date.parse(text) - SECOND_MS).toISOString();
  if (HEX.test(text) || isId(text)) return flipped(text);
  const words = WORDS.find((list) => list.includes(text) && list.length > 1);
  const other = [...(words ?? []), ...others].find((one) => typeof one === 'string' && one !== text);
  if (words !== undefined) return String(other);
  return isJson(text) ? changedJson(text) : String(other ?? `${text}x`);
}

const flipped = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;

const isJson = (text: string): boolean => /^[[{]/.test(text);

/** Replaces one value in it. */
function changedJson(text: string): string {
  const parsed: unknown = JSON.parse(text);
  const [first] = leavesOf(parsed);
  return JSON.stringify(first === undefined ? [0] : withLeaf(parsed, first, otherValue));
}

/** Path to a value: field names and list indexes. */
export type LeafPath = readonly (string | number)[];

/** Paths of all values without nested values, including empty lists and objects. */
export function leavesOf(value: unknown, path: LeafPath = []): LeafPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value)
    ? value.map((one, index): [number, unknown] => [index, one])
    : Object.entries(value);
  if (entries.length === 0) return path.length === 0 ? [] : [path];
  return entries.flatMap(([name, one]) => leavesOf(one, [...path, name]));
}

export const leafAt = (value: unknown, path: LeafPath): unknown =>
  path.reduce<unknown>((one, name) => (one as Record<string | number, unknown> | undefined)?.[name], value);

/** A copy with the value at the path replaced, or removed if `change` returns undefined. */
export function withLeaf(value: unknown, path: LeafPath, change: (leaf: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  const inner = withLeaf((value as Record<string | number, unknown>)[name], rest, change);
  if (Array.isArray(value))
    return inner === undefined ? value.filter((_, n) => n !== name) : value.with(Number(name), inner);
  const { [name]: _, ...others } = value as Record<string, unknown>;
  return inner === undefined ? others : { ...(value as object), [name]: inner };
}
