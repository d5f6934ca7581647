/** Pieces joined at a time, because joining millions at once would block for long. */
const PIECES = 4_096;

/** Assembles a long text piece by piece. */
export class TextWriter {
  readonly #joined: string[] = [];
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) < PIECES) return;
    this.#joined.push(this.#pieces.join(''));
    this.#pieces = [];
  }

  text(): string {
    return [...this.#joined, ...this.#pieces].join('');
  }
}
