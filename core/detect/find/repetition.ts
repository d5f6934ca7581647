export interface RepeatedUnit {
  /** A hash: units with equal keys are equal. */
  readonly key: number;
  readonly start: number;
  readonly end: number;
}

/** FNV-1a over a string's code units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

interface Repetition {
  readonly start: number;
  readonly end: number;
  /** Number of consecutive occurrences of the period. */
  readonly cycles: number;
}

/**
 * The run with the most consecutive occurrences of a period of `shortest` to `longest` units; null if no period
 * repeats. At least one unit of the period must pass `counts`. A period of several units must contain different ones:
 * ten equal units are not five pairs. The time is proportional to units times periods.
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
