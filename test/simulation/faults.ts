import type { Random } from './random.ts';

/** Every possible fault. A run has some of these, each with a frequency drawn from its seed. */
export const FAULTS = [
  // of a call to a dependency
  'refused call',
  'lost answer',
  'late effect',
  'slow call',
  'repeated record',
  'torn append',
  'torn insert',
  'crash before a call',
  'crash after a call',
  'crash at a step',
  // of a process
  'crash',
  'zombie',
  'second consumer',
  'graceful stop',
  'slow process',
  'clock jump',
  // of a dependency
  'outage',
  'slow part',
  'replication stall',
  'state fail-over',
  'state restored',
  // of the data sent
  'damaged ledger record',
  'expired records',
  'customer whose texts fail',
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * Some runs have a theme: all the faults for one kind of failure, and matching requests. By chance alone, a flush that
 * hangs while its partition moves away and back is too rare.
 */
const THEMES = {
  'partitions come back': ['second consumer', 'slow call'],
  'a replica takes over': ['replication stall', 'state fail-over', 'slow call', 'crash'],
  'retention and erasure': [
    'crash at a step',
    'slow call',
    'slow part',
    'lost answer',
    'zombie',
    'clock jump',
  ],
  'older state': ['state restored', 'crash', 'slow part', 'slow call', 'outage', 'lost answer'],
} as const satisfies Readonly<Record<string, readonly Fault[]>>;
export type Theme = keyof typeof THEMES;
/** A fork needs the rarest combination, so every second theme moves partitions back. */
const OTHER_THEMES = [
  'partitions come back',
  'partitions come back',
  'a replica takes over',
  'older state',
] as const satisfies readonly Theme[];
const THEMED = 0.6;
/**
 * Share of themed runs about erasure: its operations have more steps, and more can forbid them, than in other themes.
 */
const KEEPING = 0.3;

/** The probability of each fault in this run; omitted faults never happen. */
export interface FaultPlan {
  /** Whether a fault of this kind happens now, at a point where it may. */
  happens(fault: Fault): boolean;
  has(fault: Fault): boolean;
  /** Ends all faults permanently. */
  cease(): void;
  readonly ceased: boolean;
  /** The run's theme; null: any requests and faults. */
  readonly theme: Theme | null;
  /** Called when a fault took effect. */
  count(fault: Fault): void;
  readonly counts: ReadonlyMap<Fault, number>;
}

/**
 * Maximum probability at each point where the fault may happen; faults of processes and dependencies are planned
 * instead.
 */
const AT_MOST: Readonly<Partial<Record<Fault, number>>> = {
  'refused call': 0.06,
  'lost answer': 0.06,
  'late effect': 0.03,
  'slow call': 0.06,
  'repeated record': 0.1,
  'torn append': 0.1,
  'torn insert': 0.1,
  'crash before a call': 0.006,
  'crash after a call': 0.006,
  'crash at a step': 0.3,
};

/** Some faults alone find what all together hide, so each run draws its own set. */
export function drawFaults(random: Random, allowed: (fault: Fault) => boolean = () => true): FaultPlan {
  const isThemed = random.chance(THEMED);
  const other = random.pick(OTHER_THEMES);
  const drawn = random.chance(KEEPING) ? 'retention and erasure' : other;
  const theme = isThemed ? drawn : null;
  const themed: readonly Fault[] | null = theme === null ? null : THEMES[theme];
  const odds = new Map<Fault, number>();
  for (const fault of FAULTS) {
    // Drawn for all faults, so that excluding one does not change the others.
    const [isIn, share] = [random.chance(0.45), random.next() ** 2];
    if ((themed === null ? isIn : themed.includes(fault)) && allowed(fault))
      odds.set(fault, (AT_MOST[fault] ?? 1) * Math.max(0.05, share));
  }
  const counts = new Map<Fault, number>();
  let ceased = false;
  return {
    happens: (fault) => {
      const probability = odds.get(fault);
      if (ceased || probability === undefined) return false;
      return random.chance(probability);
    },
    has: (fault) => odds.has(fault),
    cease: () => {
      ceased = true;
    },
    get ceased() {
      return ceased;
    },
    count: (fault) => {
      counts.set(fault, (counts.get(fault) ?? 0) + 1);
    },
    counts,
    theme,
  };
}
