/** Code units between two offsets whose pairs are counted in advance; a query reads at most this many. */
const STEP = 64;
const SURROGATE = /[\ud800-\udfff]/;

/** Whether the unit is the second half of a surrogate pair. */
function completesPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

/**
 * Returns a function that counts the code points before a UTF-16 offset. A lone surrogate is one code point. Reads the
 * text once; each query takes constant time.
 */
export function codePointsBefore(text: string): (offset: number) => number {
  if (!SURROGATE.test(text)) return (offset) => offset;
  const pairsBefore = new Uint32Array(Math.floor(text.length / STEP) + 1);
  for (let at = 0, pairs = 0; at < text.length; at += 1) {
    if (at % STEP === 0) pairsBefore[at / STEP] = pairs;
    if (completesPair(text, at)) pairs += 1;
    if (at + 1 === text.length && text.length % STEP === 0) pairsBefore[text.length / STEP] = pairs;
  }
  return (offset) => {
    const counted = Math.floor(offset / STEP);
    let pairs = pairsBefore[counted]!;
    for (let at = counted * STEP; at < offset; at += 1) if (completesPair(text, at)) pairs += 1;
    return offset - pairs;
  };
}
