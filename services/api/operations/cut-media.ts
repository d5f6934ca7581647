import { createHash, type Hash, randomBytes } from 'node:crypto';
import { type Medium, mediaIn, referenceTo } from '#core/media/find-media.ts';
import { invalid } from '#platform/flow/refusal.ts';

/**
 * Pictures and other files in a body's texts are cut out of its bytes before it is parsed, so they cost neither a parse
 * nor the limit for texts. Each leaves a mark that no client can know, from which two forms are made: the value that is
 * analysed and stored, with references, and the canonical JSON of the body as sent, which digests cover.
 */

/** Bytes hashed between two yields. */
const STRETCH = 256 * 1024;
const BACKSLASH = 0x5c;

interface Cut {
  readonly medium: Medium;
  /** SHA-256 of its characters as sent, in hex. */
  readonly asSent: string;
}

export class CutMedia {
  readonly #bytes: Buffer;
  readonly #cuts: readonly Cut[];
  readonly #mark: string;
  readonly #marks: RegExp;

  constructor(bytes: Buffer, cuts: readonly Cut[], mark: string) {
    this.#bytes = bytes;
    this.#cuts = cuts;
    this.#mark = mark;
    this.#marks = new RegExp(`${mark}(\\d+);`, 'g');
  }

  /** Replaces each mark in the parsed value with a reference. */
  withReferences(value: unknown): unknown {
    if (typeof value === 'string') return this.#replaced(value, ({ medium }) => referenceTo(medium));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((child) => this.withReferences(child));
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => {
        if (name.includes(this.#mark)) throw invalid('body', 'a key contains a file; send files as values');
        return [name, this.withReferences(child)];
      }),
    );
  }

  /** Distinguishes this body from others, for the digest of an Idempotency-Key: canonical JSON contains no NUL. */
  identity(canonical: string): string {
    return this.#replaced(canonical, ({ asSent }) => `\0${asSent}`);
  }

  /** Hashes the canonical JSON of the body as sent. */
  *hash(hash: Hash, canonical: string): Generator<undefined, void> {
    let at = 0;
    for (const { 0: mark, 1: number, index } of canonical.matchAll(this.#marks)) {
      hash.update(canonical.slice(at, index));
      at = index + mark.length;
      yield* hashAsSent(hash, this.#bytes, this.#cuts[Number(number)]!.medium);
    }
    hash.update(canonical.slice(at));
  }

  #replaced(text: string, by: (cut: Cut) => string): string {
    if (!text.includes(this.#mark)) return text;
    return text.replace(this.#marks, (_, number: string) => by(this.#cuts[Number(number)]!));
  }
}

/** The bytes without their media; null: no media. */
export function* cutMedia(
  bytes: Buffer,
): Generator<undefined, { readonly bytes: Buffer; readonly media: CutMedia } | null> {
  const media = yield* mediaIn(bytes.toString('latin1'));
  if (media.length === 0) return null;
  const mark = `media:${randomBytes(16).toString('hex')}:`;
  const pieces: Buffer[] = [];
  const cuts: Cut[] = [];
  let at = 0;
  for (const [number, medium] of media.entries()) {
    pieces.push(bytes.subarray(at, medium.start), Buffer.from(`${mark}${number};`));
    at = medium.end;
    const hash = createHash('sha256');
    yield* hashAsSent(hash, bytes, medium);
    cuts.push({ medium, asSent: hash.digest('hex') });
  }
  pieces.push(bytes.subarray(at));
  return { bytes: Buffer.concat(pieces), media: new CutMedia(bytes, cuts, mark) };
}

/** Hashes the characters that JSON writes for it: backslashes only escape its slashes. */
function* hashAsSent(hash: Hash, bytes: Buffer, { start, end }: Medium): Generator<undefined, void> {
  for (let at = start; at < end; at += STRETCH) {
    const piece = bytes.subarray(at, Math.min(end, at + STRETCH));
    hash.update(piece.includes(BACKSLASH) ? piece.toString('latin1').replaceAll('\\', '') : piece);
    yield;
  }
}
