const FIRST = 8;
const CHUNK_BITS = 13;
const CHUNK = 2 ** CHUNK_BITS;
const MASK = CHUNK - 1;

/**
 * A list of integers below 2^32 without an object per number. Stored in chunks, because copying millions of numbers
 * when the list grows would block for long.
 */
export class NumberList {
  readonly #chunks = [new Uint32Array(FIRST)];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#chunks[index >> CHUNK_BITS]![index & MASK]!;
  }

  set(index: number, value: number): void {
    this.#chunks[index >> CHUNK_BITS]![index & MASK] = value;
  }

  push(value: number): void {
    this.#withRoom()[this.#length & MASK] = value;
    this.#length++;
  }

  pop(): void {
    this.#length--;
  }

  /** The chunk that has room for another number. */
  #withRoom(): Uint32Array {
    const at = this.#length >> CHUNK_BITS;
    const chunk = this.#chunks[at];
    if (chunk !== undefined && (this.#length & MASK) < chunk.length) return chunk;
    const larger = new Uint32Array(chunk === undefined ? CHUNK : chunk.length * 2);
    if (chunk !== undefined) larger.set(chunk);
    this.#chunks[at] = larger;
    return larger;
  }
}
