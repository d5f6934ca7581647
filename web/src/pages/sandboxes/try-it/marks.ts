import type { ScanResult } from '#schemas/api/scan.ts';

type Entity = Pick<
  ScanResult['detectedEntities'][number],
  'type' | 'source' | 'start' | 'end' | 'confidence'
>;

interface Stretch {
  readonly start: number;
  readonly text: string;
  /** What was found there, each type once; none: nothing. */
  readonly types: readonly string[];
}

/** The text in stretches with the same finds, which together are the text. Finds may overlap; nonsense is passed over. */
export function stretchesOf(text: string, entities: readonly Entity[]): Stretch[] {
  const own = entities
    .filter(({ source }) => source === 'userInput')
    .map(({ type, start, end }) => ({ type, start: Math.max(0, start), end: Math.min(text.length, end) }))
    .filter(({ start, end }) => start < end);
  const edges = [...new Set([0, text.length, ...own.flatMap(({ start, end }) => [start, end])])].sort(
    (a, b) => a - b,
  );
  return edges.slice(0, -1).map((start, place) => {
    const end = edges[place + 1]!;
    const types = own.filter((one) => one.start < end && one.end > start).map(({ type }) => type);
    return { start, text: text.slice(start, end), types: [...new Set(types)] };
  });
}
