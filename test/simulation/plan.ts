import { PARTITIONS } from '#schemas/topics.ts';
import type { Fault, FaultPlan } from './faults.ts';
import type { Random } from './random.ts';

export const ROLES = ['api', 'analyzer', 'sink', 'correlator'] as const;
export type Role = (typeof ROLES)[number];

/** An event of a run other than call faults. `at`: ms from the start. `dice`: seed for all further details. */
export interface Operation {
  readonly at: number;
  readonly kind: OperationKind;
  readonly dice: number;
}
export type OperationKind = (typeof REQUESTS)[number] | Disturbance | 'new customer';

const REQUESTS = [
  'submit',
  'batch',
  'internal signal',
  'change sandbox',
  'new key',
  'revoke key',
  'erase customer',
  'checkpoint',
  'policy',
  'retention policy',
  'retention run',
  'erase signal',
  'package',
] as const;

/** Planned faults: they affect a process or a dependency rather than a single call. */
const DISTURBANCES = [
  'crash',
  'zombie',
  'second consumer',
  'graceful stop',
  'slow process',
  'clock jump',
  'outage',
  'slow part',
  'replication stall',
  'state fail-over',
  'state restored',
  'damaged ledger record',
  'expired records',
  'customer whose texts fail',
] as const satisfies readonly Fault[];
type Disturbance = (typeof DISTURBANCES)[number];

/** Maximum number of times a disturbance occurs in a run that has it. */
const TIMES: Readonly<Record<Disturbance, number>> = {
  crash: 5,
  zombie: 3,
  'second consumer': 10,
  'graceful stop': 3,
  'slow process': 4,
  'clock jump': 2,
  outage: 3,
  'slow part': 3,
  'replication stall': 3,
  'state fail-over': 3,
  'state restored': 1,
  'damaged ledger record': 1,
  'expired records': 3,
  'customer whose texts fail': 1,
};

const ODDS: readonly (readonly [(typeof REQUESTS)[number], number])[] = [
  ['submit', 55],
  ['batch', 10],
  ['internal signal', 14],
  ['change sandbox', 17],
  ['new key', 4],
  ['revoke key', 4],
  ['erase customer', 3],
  ['checkpoint', 12],
  ['policy', 7],
  ['retention policy', 5],
  ['retention run', 4],
  ['erase signal', 7],
  ['package', 5],
];
type Odds = typeof ODDS;
/** Operations that quickly add ledger records. */
const BUSY: Odds = [
  ['submit', 30],
  ['internal signal', 35],
  ['change sandbox', 30],
  ['policy', 7],
  ['checkpoint', 8],
];
/** Operations that erase, forbid erasure, or contain what is erased. */
const KEPT: Odds = [
  ['submit', 15],
  ['internal signal', 30],
  ['policy', 4],
  ['retention policy', 16],
  ['retention run', 12],
  ['erase signal', 24],
  ['package', 14],
  ['erase customer', 1],
];
/** Changes that the state may lose. */
const CHANGES: Odds = [
  ['submit', 25],
  ['change sandbox', 40],
  ['new key', 14],
  ['revoke key', 14],
  ['erase customer', 3],
  ['checkpoint', 10],
];

/** How soon after a disturbance a request counts as near it, ms. */
const NEAR_MS = 12_000;

export interface Plan {
  readonly operations: readonly Operation[];
  readonly processes: Readonly<Record<Role, number>>;
  readonly delayMs: number;
  readonly sessionTimeoutMs: number;
  readonly revocationTimeoutMs: number;
  readonly zombieMs: number;
  /** Partitions for the ids of customers, and of everything else. */
  readonly partitions: Readonly<Record<'customers' | 'others', readonly number[]>>;
  /** Writes of records wait for a replica. */
  readonly replicated: boolean;
}

export function drawPlan(random: Random, faults: FaultPlan): Plan {
  const { theme } = faults;
  const isMoving = theme === 'partitions come back';
  const isKeeping = theme === 'retention and erasure';
  const requests = oddsOf(theme);
  const horizonMs = random.between(15_000, 75_000);
  const at = (): number => random.below(horizonMs);
  const dice = (): number => random.below(2 ** 31);
  const operations: Operation[] = [];
  // A customer's key is created with the first audit and may not be replicated yet.
  const customers =
    theme === 'a replica takes over'
      ? random.between(6, 10)
      : random.between(isMoving ? 4 : 2, isKeeping ? 3 : 5);
  for (let n = 0; n < customers; n += 1) {
    operations.push({ at: n === 0 ? 0 : random.below(horizonMs / 2), kind: 'new customer', dice: dice() });
  }
  for (const kind of DISTURBANCES) {
    const times = random.between(theme === null ? 1 : Math.ceil(TIMES[kind] / 2), TIMES[kind]);
    // Drawn for all kinds, so that excluding one does not move the others.
    const drawn = Array.from({ length: times }, () => ({ at: at(), kind, dice: dice() }));
    if (faults.has(kind)) operations.push(...drawn);
  }
  // Half of all requests happen during a disturbance.
  const troubled = operations.map((operation) => operation.at);
  // Policies created early have something to erase.
  if (isKeeping)
    for (let n = 0; n < 2 * customers; n += 1)
      operations.push({ at: random.below(horizonMs / 2), kind: 'retention policy', dice: dice() });
  const [least, most] = isMoving ? [80, 140] : isKeeping ? [40, 100] : [15, 60];
  for (let left = random.between(least, most); left > 0; left -= 1) {
    const isNear = random.chance(theme === null || isMoving ? 0.5 : 0.8);
    const near = random.pick(troubled) + random.below(NEAR_MS);
    operations.push({ at: isNear ? near : at(), kind: drawRequest(random, requests), dice: dice() });
  }
  return {
    operations: operations.sort((one, other) => one.at - other.at),
    processes: {
      api: random.between(1, 2),
      analyzer: random.between(1, 2),
      sink: isMoving ? 1 : random.between(1, 2),
      correlator: random.between(1, 2),
    },
    delayMs: random.pick([1, 5, 20]),
    sessionTimeoutMs: random.pick([1_000, 6_000]),
    revocationTimeoutMs: random.pick(isMoving ? [500] : [500, 500, 3_000, 30_000]),
    // Customers in the same partition can affect each other, and the only partition of a topic would never move.
    partitions: {
      customers: drawPartitions(random, isMoving ? 2 : random.pick([2, 2, 3])),
      others: drawPartitions(random, 3),
    },
    zombieMs: random.between(5_000, 90_000),
    replicated: faults.has('state fail-over') || faults.has('replication stall'),
  };
}

function oddsOf(theme: FaultPlan['theme']): Odds {
  if (theme === 'older state') return CHANGES;
  if (theme === 'partitions come back') return BUSY;
  return theme === 'retention and erasure' ? KEPT : ODDS;
}

function drawPartitions(random: Random, count: number): number[] {
  const left = Array.from({ length: PARTITIONS }, (_, partition) => partition);
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)[0] as number);
}

function drawRequest(random: Random, of: Odds): (typeof REQUESTS)[number] {
  let left = random.below(of.reduce((sum, [, odds]) => sum + odds, 0));
  for (const [kind, odds] of of) {
    if (left < odds) return kind;
    left -= odds;
  }
  throw new Error('the odds do not add up');
}
