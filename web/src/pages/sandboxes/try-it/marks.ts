import type { ScanResult } from '#schemas/api/scan.ts';

type Entity = Pick<
  ScanResult['detectedEntities'][number],
  'type' | 'source' | 'start' | 'end' | 'confidence'
>;

interface Stretch {
  readonly start: number;
  readonly text: string;
  /** Types detected there, without duplicates; empty for none. */
  readonly types: readonly string[];
}

/** Splits the text into stretches with the same matches. Matches may overlap; invalid ones are skipped. */
export function stretchesOf(text: string, entities: readonly Entity[]): Stretch[] {
  const own = entities
    .filter(({ source }) => source === 'userInput')
    .map(({ type, start, end }) => ({ type, start: Math.max(0, start), end: Math.min(text.length, end) }))
    .filter(({ start, end }) => start < end);
  const edges = [...new Set([0, text.length, ...own.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1]!;
    const types = own.filter((one) => one.start < end && one.end > start).map(({ type }) => type);
    return { start, text: text.slice(start, end), types: [...new Set(types)] };
  });
}
