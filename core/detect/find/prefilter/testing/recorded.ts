import * as compile from '../compile.ts';
import * as prefilter from '../prefilter.ts';

/** Wraps both modules and records the patterns requested from them; `redirect.ts` makes detectors load this instead. */
export * from '../compile.ts';
export * from '../prefilter.ts';

export const readers = new Map<string, () => compile.Loosened>();
export const prefilteredPatterns = new Set<RegExp>();

export function loosenedReader(pattern: RegExp, anywhere: boolean): () => compile.Loosened {
  const read = compile.loosenedReader(pattern, anywhere);
  readers.set(`${pattern} ${anywhere}`, read);
  return read;
}

export function prefilteredAt(pattern: RegExp): ReturnType<typeof prefilter.prefilteredAt> {
  prefilteredPatterns.add(pattern);
  return prefilter.prefilteredAt(pattern);
}
