import { errorClasses } from './error-classes.ts';
import { readSources, type Source } from './sources.ts';
import { lineCounter, parse } from './syntax.ts';
import { textsOf } from './texts.ts';

export type DrawKind = 'comments' | 'errors-and-logs' | 'dashboard';

interface Sample {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Draws `count` different texts; the same seed draws the same ones from the same tree. */
export function drawFrom(
  root: string,
  { kind, seed, count }: { readonly kind: DrawKind; readonly seed: number; readonly count: number },
): { of: number; drawn: Sample[] } {
  const sources = readSources(root);
  const all = kind === 'comments' ? sources.flatMap(docComments) : readTexts(sources, kind);
  const different = [...new Map(all.map((one) => [one.text, one])).values()];
  return { of: different.length, drawn: shuffled(different, randomOf(seed)).slice(0, count) };
}

const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;

/** The dashboard's sample skips labels of one or two words: there is little to reword. */
function readTexts(sources: readonly Source[], kind: DrawKind): Sample[] {
  const errors = errorClasses(sources);
  return sources
    .flatMap((source) => textsOf(source, errors))
    .filter((one) =>
      kind === 'dashboard'
        ? one.kind === 'dashboard' && wordsIn(one.text) > 2
        : (one.kind === 'error' || one.kind === 'log') && wordsIn(one.text) > 1,
    );
}

/** The `/** ... *\/` comments of a source, each as one line. */
export function docComments({ file, text }: Source): Sample[] {
  if (file.endsWith('.html')) return [];
  const lineOf = lineCounter(text);
  return parse(file, text)
    .comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, start }) => ({
      file,
      line: lineOf(start),
      text: value
        .split('\n')
        .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
        .join(' ')
        .trim(),
    }));
}

/** Numbers from 0 up to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
