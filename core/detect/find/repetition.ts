/** One call, sentence or word. */
export interface RepeatedUnit {
  /** A hash: units with the same key are the same. */
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/** FNV-1a over the code units of a string. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

interface Repetition {
  readonly start: number;
  readonly end: number;
  /** How often the period occurs in a row. */
  readonly cycles: number;
}

/**
 * The run of units in which a period of `shortest` to `longest` units occurs most often in a row; null when none occurs
 * twice. `counts`: one unit of the period at least must pass it. A period of several units must contain different ones:
 * ten times the same unit is no pair. Time proportional to units times periods.
 */
export function longestPeriod(
  units: readonly RepeatedUnit[],
  shortest: number,
  longest: number,
  counts: (unit: RepeatedUnit) => boolean = () => true,
): Repetition | null {
  let best: Repetition | null = null;
  for (let period = shortest; period <= longest; period++) {
    let run = 0;
    for (let i = period; i <= units.length; i++) {
      if (i < units.length && units[i]!.key === units[i - period]!.key) {
        run++;
        continue;
      }
      const cycles = Math.floor(run / period) + 1;
      const from = i - run - period;
      if (run >= period && cycles > (best?.cycles ?? 1) && isWorthCounting(units, from, period, counts)) {
        best = { start: units[from]!.start, end: units[i - 1]!.end, cycles };
      }
      run = 0;
    }
  }
  return best;
}

function isWorthCounting(
  units: readonly RepeatedUnit[],
  from: number,
  period: number,
  counts: (unit: RepeatedUnit) => boolean,
): boolean {
  const cycle = units.slice(from, from + period);
  return (period === 1 || cycle.some(({ key }) => key !== cycle[0]!.key)) && cycle.some(counts);
}
