/** Integers below 2^32, added one by one without an object for each. */
export interface NumberList {
  readonly length: number;
  at(index: number): number;
  set(index: number, value: number): void;
  push(value: number): void;
  /** Removes the last one. */
  pop(): void;
}

const FIRST = 8;
const CHUNK_BITS = 13;
const CHUNK = 2 ** CHUNK_BITS;
const MASK = CHUNK - 1;

/** In chunks, so that a list of millions is not copied when it grows, which would block for long. */
export function numberList(): NumberList {
  const chunks = [new Uint32Array(FIRST)];
  let length = 0;
  /** The chunk with room for one more. */
  const withRoom = (): Uint32Array => {
    const at = length >> CHUNK_BITS;
    const chunk = chunks[at];
    if (chunk !== undefined && (length & MASK) < chunk.length) return chunk;
    const larger = new Uint32Array(chunk === undefined ? CHUNK : chunk.length * 2);
    if (chunk !== undefined) larger.set(chunk);
    chunks[at] = larger;
    return larger;
  };
  return {
    get length() {
      return length;
    },
    at: (index) => chunks[index >> CHUNK_BITS]![index & MASK]!,
    set: (index, value) => {
      chunks[index >> CHUNK_BITS]![index & MASK] = value;
    },
    push: (value) => {
      withRoom()[length & MASK] = value;
      length++;
    },
    pop: () => {
      length--;
    },
  };
}
