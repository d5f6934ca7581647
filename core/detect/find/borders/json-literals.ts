import { hexAt } from '../../read/escapes/escape.ts';
import type { Edges } from '../../read/escapes/span-list.ts';
import { NumberList } from '../../read/number-list.ts';
import { TextWriter } from '../../read/text-writer.ts';
import { type JsonRegion, jsonRegions, type LiteralKind, type Token } from './json-scan.ts';

/** A literal of a JSON text that holds content, with its span in the original text. */
export interface Literal extends Edges {
  readonly kind: LiteralKind;
  /** The quotes of a string that replaces a number. */
  readonly quote: string;
}

/** Maximum nesting of JSON texts in JSON strings. */
const MAX_DEPTH = 2;
const BACKSLASH = 92;
const ESCAPED_UNIT = 6;

/** A text, with the offsets of its code units in the original text. */
interface View {
  readonly text: string;
  originOf(at: number): number;
}

/** A string's content without its backslashes. */
function unescaped(view: View, { start, end }: Token): View {
  const { text } = view;
  const writer = new TextWriter();
  const origins = new NumberList();
  for (let at = start; at < end; ) {
    const slash = text.indexOf('\\', at);
    const plain = slash === -1 || slash > end ? end : slash;
    writer.add(text.slice(at, plain));
    for (; at < plain; at++) origins.push(view.originOf(at));
    if (at === end) break;
    origins.push(view.originOf(at));
    const letter = text[at + 1] ?? '';
    const point = letter === 'u' ? hexAt(text, at + 2, 4) : -1;
    writer.add(point === -1 ? ('nrt'.includes(letter) ? '\n' : letter || '\\') : String.fromCharCode(point));
    at += point === -1 ? 2 : ESCAPED_UNIT;
  }
  origins.push(view.originOf(end));
  return { text: writer.text(), originOf: (at) => origins.at(at) };
}

const escaped = (quote: string): string => quote.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

function literalsOf(
  view: View,
  { tokens }: JsonRegion,
  quote: string,
  depth: number,
  found: Literal[],
): void {
  for (const token of tokens) {
    const start = view.originOf(token.start);
    const end = view.originOf(token.end);
    const content = token.kind === 'STRING' ? view.text.slice(token.start, token.end) : '';
    const mayNest = depth < MAX_DEPTH && /[[{]/.test(content) && /["']/.test(content);
    const inner = mayNest ? unescaped(view, token) : null;
    const regions = inner === null ? [] : jsonRegions(inner.text);
    let done = start;
    for (const region of regions) {
      found.push({ kind: 'STRING', start: done, end: inner!.originOf(region.start), quote });
      literalsOf(inner!, region, escaped(quote), depth + 1, found);
      done = inner!.originOf(region.end);
    }
    found.push({ kind: token.kind, start: done, end, quote });
  }
}

/** A JSON region of the original text. */
export interface JsonPart extends Edges {
  /** In order. */
  readonly literals: readonly Literal[];
}

/**
 * Finds the JSON in a text and separates its content from its structure. JSON texts in strings are parsed as well.
 * Linear time.
 */
export function jsonPartsOf(text: string): JsonPart[] {
  const view: View = { text, originOf: (at) => at };
  return jsonRegions(text).map((region) => {
    const literals: Literal[] = [];
    literalsOf(view, region, '"', 0, literals);
    return { start: region.start, end: region.end, literals };
  });
}

/** Widens a span that starts or ends inside an escape sequence. `from`: the start of the string. */
export function wholeEscapes(text: string, span: Edges, from: number): Edges {
  const first = escapeAround(text, span.start, from);
  const last = escapeAround(text, span.end, from);
  return first === null && last === null
    ? span
    : { start: first?.start ?? span.start, end: last?.end ?? span.end };
}

/** Longer runs of backslashes are not text. */
const MAX_RUN = 64;

function escapeAround(text: string, at: number, from: number): Edges | null {
  for (let start = at - 1; start >= from && start > at - ESCAPED_UNIT; start--) {
    if (text.charCodeAt(start) !== BACKSLASH) continue;
    let run = start;
    while (run > from && start - run < MAX_RUN && text.charCodeAt(run - 1) === BACKSLASH) run--;
    if ((start - run) % 2 === 1) return null;
    const end = start + (text[start + 1] === 'u' && hexAt(text, start + 2, 4) !== -1 ? ESCAPED_UNIT : 2);
    return end > at ? { start, end } : null;
  }
  return null;
}
