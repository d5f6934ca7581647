import { Refusal } from '#platform/flow/refusal.ts';
import { MIB } from '#schemas/api/contract.ts';
import { WALKED_AT_ONCE } from './json-walk.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Fields that hold a triplet's texts. Other names may be a client's data, which no message repeats. */
const TEXT_FIELDS = ['prompt', 'response', 'thinkingBlock', 'customFields', 'content', 'text'];

/**
 * The refusal of a triplet with texts that are too long. Names the field with the longest string, found from the bytes
 * alone.
 */
export function* textTooLarge(bytes: Buffer, limitBytes: number): Generator<undefined, Refusal> {
  const field = yield* largestField(bytes);
  const longest = field === null ? '' : `; the longest is in ${field}`;
  return new Refusal('BODY_TOO_LARGE', {
    message: `A triplet is limited to ${limitBytes / MIB} MiB, not counting base64 files in its texts${longest}. Shorten it, or replace a file with a reference: type, size and SHA-256.`,
  });
}

/** The name before the longest string, if it is a text field. */
function* largestField(bytes: Buffer): Generator<undefined, string | null> {
  let [largest, field]: [number, string | null] = [0, null];
  let yielded = 0;
  let lastEnd = -1;
  let lastStart = -1;
  for (let at = bytes.indexOf(QUOTE); at !== -1; at = bytes.indexOf(QUOTE, at)) {
    const end = endOfString(bytes, at);
    if (end - at > largest) {
      const name =
        lastStart === -1
          ? ''
          : bytes.toString('latin1', lastStart + 1, Math.min(lastEnd - 1, lastStart + 40));
      [largest, field] = [end - at, TEXT_FIELDS.includes(name) ? name : null];
    }
    [lastStart, lastEnd, at] = [at, end, end];
    if (at - yielded > WALKED_AT_ONCE) {
      yielded = at;
      yield;
    }
  }
  return field;
}

function endOfString(bytes: Buffer, from: number): number {
  for (let start = from + 1; ; ) {
    const at = bytes.indexOf(QUOTE, start);
    if (at === -1) return bytes.length;
    let first = at;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
    start = at + 1;
  }
}
