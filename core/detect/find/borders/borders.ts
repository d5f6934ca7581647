import type { Edges, SpanList } from '../../read/escapes/span-list.ts';
import type { Match } from '../match.ts';
import { type JsonPart, jsonPartsOf, type Literal, wholeEscapes } from './json-literals.ts';
import { wholeCharacters } from './whole-characters.ts';

/** A field name in a program or a form: "firstName", "billing_address". */
const FIELD_NAME = /^[\p{L}_$@#][\p{L}\p{N}_$.:#@-]{0,63}$/u;
const CONTENT = /[\p{L}\p{N}]/u;

/** The index of the first span of an ordered list that ends after `at`. */
function firstAfter(list: readonly Edges[], at: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.end > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A part of a match that can be replaced without breaking its surroundings. */
interface Piece extends Edges {
  readonly quote?: string;
}

/** Determines where the values of a text may start and end. */
export class Borders {
  readonly #text: string;
  readonly #escapes: SpanList | null;
  #parts: readonly JsonPart[] | null = null;

  constructor(text: string, escapes: SpanList | null) {
    this.#text = text;
    this.#escapes = escapes;
  }

  /**
   * Adjusts the matches, ordered and without overlap like `list`, to spans that can be replaced. No escape sequence or
   * user-perceived character is split. In JSON, only content is covered: a value across several strings is split, a
   * number is covered completely, and field names stay. Matches that are not values only avoid splitting characters.
   */
  fitted(list: readonly Match[]): readonly Match[] {
    const fitted: Match[] = [];
    let done = 0;
    for (const match of list) {
      for (const piece of this.#piecesOf(match)) {
        const start = Math.max(done, piece.start);
        if (start >= piece.end) continue;
        done = piece.end;
        fitted.push(at(match, start, piece));
      }
    }
    return fitted;
  }

  #piecesOf(match: Match): readonly Piece[] {
    if (match.entity === null) return [wholeCharacters(this.#text, match)];
    const span = this.#escapes?.around(match.start, match.end) ?? match;
    const whole = wholeCharacters(this.#text, span);
    this.#parts ??= /[[{]/.test(this.#text) ? jsonPartsOf(this.#text) : [];
    const index = firstAfter(this.#parts, whole.start);
    const isApart = index === this.#parts.length || this.#parts[index]!.start >= whole.end;
    return isApart ? [whole] : this.#split(match, whole, index);
  }

  /** The parts of the span that cover JSON content or text outside JSON. */
  #split(match: Match, span: Edges, index: number): Piece[] {
    const pieces: Piece[] = [];
    let { start } = span;
    for (const part of this.#parts!.slice(index, firstAfter(this.#parts!, span.end) + 1)) {
      if (part.start >= span.end) break;
      if (start < part.start) pieces.push({ start, end: part.start });
      for (let at = firstAfter(part.literals, start); at < part.literals.length; at++) {
        const literal = part.literals[at]!;
        if (literal.start >= span.end) break;
        const piece = this.#inLiteral(match, span, literal);
        if (piece !== null) pieces.push(piece);
      }
      start = Math.max(start, part.end);
    }
    if (start < span.end) pieces.push({ start, end: span.end });
    const filled = pieces.filter((piece) => CONTENT.test(this.#text.slice(piece.start, piece.end)));
    return pieces.length === 1 ? pieces : filled;
  }

  #inLiteral(match: Match, span: Edges, literal: Literal): Piece | null {
    const { kind, start, end, quote } = literal;
    if (kind === 'NUMBER') return { start, end, quote };
    const clipped = { start: Math.max(span.start, start), end: Math.min(span.end, end) };
    if (clipped.start >= clipped.end) return null;
    if (kind === 'KEY' && this.#isFieldName(match, span, literal)) return null;
    return wholeEscapes(this.#text, clipped, start);
  }

  /** Whether this is a key that a value from the content extends into, or that was taken for a name. */
  #isFieldName({ entity }: Match, span: Edges, { start, end }: Literal): boolean {
    if (span.start < start || span.end > end) return true;
    return (entity === 'PERSON' || entity === 'ADDRESS') && FIELD_NAME.test(this.#text.slice(start, end));
  }
}

/**
 * Copies field by field, because copying objects of unknown shape would dominate the time for a text full of matches.
 */
function at(match: Match, start: number, { end, quote }: Piece): Match {
  const { code, entity, detector, version, source, confidence, ruleIndex } = match;
  const moved = { code, entity, detector, version, source, start, end, confidence };
  if (quote === undefined && ruleIndex === undefined) return moved;
  return {
    ...moved,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    ...(quote === undefined ? {} : { quote }),
  };
}
