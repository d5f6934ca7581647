import { openLoop } from '../load/open-loop.ts';
import { auditIdOf, ingestShots, type Target, untilVisible } from '../load/triplets.ts';
import { type Cost, type EmbeddedService, measureCost } from '../service/embedded-service.ts';

/** The machine's speed changes by a third from minute to minute, so compared services take much shorter turns. */
const TURN_SECONDS = 2.5;

export interface Load {
  /** A name in `BODIES`. */
  readonly kind: string;
  readonly ratePerSecond: number;
  /** For each service. */
  readonly seconds: number;
}

/** One service's share of a load. */
interface Share {
  readonly audits: number;
  /** During its own turns. */
  readonly cost: Cost;
}

/**
 * Sends the requests from `first` on; returns the number of accepted audits once all are stored. A single refused
 * request ends the run, because costs of different numbers of audits cannot be compared.
 */
async function send(
  target: Target,
  shots: ReturnType<typeof ingestShots>,
  first: number,
  { ratePerSecond, seconds }: Load,
): Promise<number> {
  const customers = target.keys.length;
  const last = new Map<number, { number: number; auditId: string }>();
  const next = (number: number) => shots(first + number);
  const load = await openLoop(target.url, ratePerSecond, seconds, next, (number, answer) => {
    if (number < ratePerSecond * seconds - customers) return;
    last.set(number % customers, { number: first + number, auditId: auditIdOf(answer.body()) });
  });
  if (load.errors.size > 0) throw new Error(`not every audit was accepted: ${[...load.errors].join(', ')}`);
  const since = performance.now();
  await Promise.all([...last.values()].map((one) => untilVisible(target, one.number, one.auditId, since)));
  return load.ok;
}

const NOTHING: Share = {
  audits: 0,
  cost: { main: 0, pipeline: 0, otherThreads: 0, engine: 0, generator: 0 },
};

const plus = (share: Share, audits: number, cost: Cost): Share => ({
  audits: share.audits + audits,
  cost: {
    main: share.cost.main + cost.main,
    pipeline: share.cost.pipeline + cost.pipeline,
    otherThreads: share.cost.otherThreads + cost.otherThreads,
    engine: share.cost.engine + cost.engine,
    generator: share.cost.generator + cost.generator,
  },
});

/**
 * Sends the same load to each service, one at a time. The order of the turns changes, so that no service always follows
 * the other. A turn ends when its audits are stored.
 */
export async function loadInTurns(services: readonly EmbeddedService[], load: Load): Promise<Share[]> {
  const shots = services.map(({ target }) => ingestShots(target, load.kind));
  const turns = services.length === 1 ? 1 : Math.ceil(load.seconds / TURN_SECONDS);
  const turn = { ...load, seconds: load.seconds / turns };
  const perTurn = Math.ceil(load.ratePerSecond * turn.seconds);
  const shares = services.map(() => NOTHING);
  for (let number = 0; number < turns; number += 1) {
    const inOrder = number % 2 === 0 ? [...services.keys()] : [...services.keys()].toReversed();
    for (const at of inOrder) {
      const { pid, target } = services[at]!;
      const cost = measureCost(pid);
      const audits = await send(target, shots[at]!, number * perTurn, turn);
      shares[at] = plus(shares[at]!, audits, cost());
    }
  }
  return shares;
}
