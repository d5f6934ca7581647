import { PatternFault } from './fault.ts';
import { readSet, setOfCharacter } from './sets.ts';

export type Assertion = 'TEXT_START' | 'TEXT_END' | 'LINE_START' | 'LINE_END' | 'WORD_EDGE' | 'NO_WORD_EDGE';

/** A pattern as a tree. `set` is the source of one character or character class. */
export type Tree =
  | { readonly kind: 'set'; readonly set: string }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly options: readonly Tree[] }
  /** What must follow an offset; only if look-around is allowed. */
  | { readonly kind: 'ahead'; readonly body: Tree }
  | {
      readonly kind: 'repeat';
      readonly body: Tree;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** A pattern's source with the current offset. */
interface Reader {
  readonly source: string;
  readonly multiline: boolean;
  readonly lookAround: LookAround;
  at: number;
}

/**
 * How look-around is handled. REFUSED rejects it; AHEAD keeps positive look-aheads in the tree and drops all other
 * look-around, so that the tree matches more than the pattern.
 */
type LookAround = 'REFUSED' | 'AHEAD';

const QUANTIFIER = /(?:([*+?])|\{(\d{1,9})(?:(,)(\d{0,9}))?\})(\?)?/y;
const GROUP = /\((?:\?(?::|<[\p{L}_$][\p{L}\p{N}_$]*>))?/uy;
const LOOK_AROUND = /\(\?<?[=!]/y;
const NOTHING: Tree = { kind: 'sequence', parts: [] };

/**
 * Parses a valid JavaScript pattern. It always reads code points, as with the flag u, but an escaped mark is literal,
 * as without it. Throws `PatternFault` for anything that cannot be matched in linear time.
 */
export function parsePattern(source: string, flags: string, lookAround: LookAround = 'REFUSED'): Tree {
  const reader: Reader = { source, multiline: flags.includes('m'), lookAround, at: 0 };
  const tree = readChoice(reader);
  if (reader.at < source.length) throw new PatternFault('a closing parenthesis has no opening one');
  return tree;
}

function readChoice(reader: Reader): Tree {
  const options = [readSequence(reader)];
  while (reader.source[reader.at] === '|') {
    reader.at++;
    options.push(readSequence(reader));
  }
  return options.length === 1 ? options[0]! : { kind: 'choice', options };
}

function readSequence(reader: Reader): Tree {
  const parts: Tree[] = [];
  while (reader.at < reader.source.length && !'|)'.includes(reader.source[reader.at]!)) {
    parts.push(readQuantified(reader));
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
}

function readQuantified(reader: Reader): Tree {
  const body = readOne(reader);
  QUANTIFIER.lastIndex = reader.at;
  const match = QUANTIFIER.exec(reader.source);
  if (match === null) return body;
  reader.at += match[0].length;
  const [, sign, from, comma, to, lazy] = match;
  const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
  const most = sign === '?' ? 1 : sign !== undefined || to === '' ? Infinity : comma ? Number(to) : least;
  return { kind: 'repeat', body, min: least, max: most, lazy: lazy !== undefined };
}

function readOne(reader: Reader): Tree {
  const { source, multiline } = reader;
  switch (source[reader.at]) {
    case '(':
      return readGroup(reader);
    case '^':
      reader.at++;
      return { kind: 'assertion', assertion: multiline ? 'LINE_START' : 'TEXT_START' };
    case '$':
      reader.at++;
      return { kind: 'assertion', assertion: multiline ? 'LINE_END' : 'TEXT_END' };
    case '.':
      reader.at++;
      return { kind: 'set', set: '.' };
    case '[':
    case '\\':
      return readEscapeOrClass(reader);
    default: {
      const character = String.fromCodePoint(source.codePointAt(reader.at)!);
      reader.at += character.length;
      return { kind: 'set', set: setOfCharacter(character) };
    }
  }
}

function readGroup(reader: Reader): Tree {
  LOOK_AROUND.lastIndex = reader.at;
  const around = LOOK_AROUND.exec(reader.source);
  if (around !== null && reader.lookAround === 'AHEAD') {
    const body = readInside(reader, around[0]);
    return around[0] === '(?=' ? { kind: 'ahead', body } : NOTHING;
  }
  GROUP.lastIndex = reader.at;
  const opening = GROUP.exec(reader.source)![0];
  if (opening === '(' && reader.source[reader.at + 1] === '?') {
    throw new PatternFault('look-ahead, look-behind and inline flags are not supported');
  }
  return readInside(reader, opening);
}

function readInside(reader: Reader, opening: string): Tree {
  reader.at += opening.length;
  const body = readChoice(reader);
  if (reader.source[reader.at] !== ')') throw new PatternFault('a group is not closed');
  reader.at++;
  return body;
}

function readEscapeOrClass(reader: Reader): Tree {
  const edge = /\\([bB])/y;
  edge.lastIndex = reader.at;
  const match = edge.exec(reader.source);
  if (match !== null) {
    reader.at += 2;
    return { kind: 'assertion', assertion: match[1] === 'b' ? 'WORD_EDGE' : 'NO_WORD_EDGE' };
  }
  const { set, end } = readSet(reader.source, reader.at);
  reader.at = end;
  return { kind: 'set', set };
}
