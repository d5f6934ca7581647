import { BrokenFile, gathering, type Item, isSpace, type Splitter } from './splitter.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Tracks strings and brackets inside an element, to know whether a comma or bracket ends it. */
function tracking(): (byte: number) => boolean {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  return (byte) => {
    if (isString) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isString = false;
      return false;
    }
    if (depth === 0 && (byte === COMMA || byte === CLOSE_BRACKET)) return true;
    if (byte === QUOTE) isString = true;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    return false;
  };
}

/** The elements of one JSON array. Whether an element is valid JSON is left to the service. */
export function elementSplitter(): Splitter {
  const gathered = gathering();
  const endsElement = tracking();
  let state: 'before' | 'inside' | 'after' = 'before';
  let line = 1;
  /** Line on which the element starts; null while only white space has been seen. */
  let startLine: number | null = null;
  let isFirst = true;

  function* element(ender: number): Generator<Item> {
    const bytes = gathered.take();
    if (startLine !== null) yield { line: startLine, bytes };
    else if (!isFirst || ender === COMMA) throw new BrokenFile(line, 'an array element is missing');
    startLine = null;
    isFirst = false;
    if (ender === CLOSE_BRACKET) state = 'after';
  }

  return {
    *push(chunk) {
      let from = 0;
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]!;
        if (state === 'inside') {
          if (endsElement(byte)) {
            gathered.add(chunk.subarray(from, at));
            from = at + 1;
            yield* element(byte);
          } else if (startLine === null && !isSpace(byte)) startLine = line;
        } else if (state === 'before' && byte === OPEN_BRACKET) {
          state = 'inside';
          from = at + 1;
        } else if (!isSpace(byte)) throw new BrokenFile(line, 'unexpected text after the end of the array');
        if (byte === LINE_FEED) line += 1;
      }
      if (state === 'inside') gathered.add(chunk.subarray(from));
    },
    // biome-ignore lint/correctness/useYield: the last element ends with the array
    *end() {
      if (state !== 'after') throw new BrokenFile(line, 'the array has no end. The file may be truncated');
    },
  };
}
