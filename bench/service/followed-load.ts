import { type LoadResult, openLoop } from '../load/open-loop.ts';
import { ascending } from '../load/quantile.ts';
import { batchShots, ingestShots, untilVisible } from '../load/triplets.ts';
import { type Cost, type EmbeddedService, measureCost } from './embedded-service.ts';

/** Requests a second whose audits are polled until they are stored. Each poll is an additional request. */
const FOLLOWED_PER_SECOND = 2;

export interface FollowedLoad {
  readonly load: LoadResult;
  readonly audits: number;
  /** From the first request until the last followed audits are stored. */
  readonly seconds: number;
  /** From a 202 to the stored signal for the followed audits, ascending. */
  readonly visibleMs: readonly number[];
  /** Includes the pipeline's remaining work after the load ends. */
  readonly cost: Cost;
}

interface Batch {
  readonly accepted: number;
  readonly data: readonly { readonly auditId?: string }[];
}

/**
 * Sends audits at a rate per second, `size` in a request, and follows some of them, including the last ones, until
 * their signals are stored.
 */
export async function followedLoad(
  { pid, target }: EmbeddedService,
  auditsPerSecond: number,
  seconds: number,
  size: number,
): Promise<FollowedLoad> {
  const shots = size === 1 ? ingestShots(target) : batchShots(target, size);
  const perSecond = auditsPerSecond / size;
  const every = Math.max(1, Math.round(perSecond / FOLLOWED_PER_SECOND));
  const firstOfLast = Math.round(perSecond * seconds) - target.keys.length;
  const visible: Promise<number>[] = [];
  let audits = 0;
  const [cost, startedAt] = [measureCost(pid), performance.now()];
  const load = await openLoop(target.url, perSecond, seconds, shots, (number, answer, answeredAt) => {
    const isFollowed = number % every === 0 || number >= firstOfLast;
    if (size === 1 && !isFollowed) {
      audits += 1;
      return;
    }
    const body = JSON.parse(answer.body()) as Batch & { readonly auditId?: string };
    audits += body.accepted ?? 1;
    const auditId = body.auditId ?? body.data.findLast((item) => item.auditId !== undefined)?.auditId;
    if (isFollowed && auditId !== undefined) visible.push(untilVisible(target, number, auditId, answeredAt));
  });
  const visibleMs = ascending(await Promise.all(visible));
  return { load, audits, seconds: (performance.now() - startedAt) / 1_000, visibleMs, cost: cost() };
}
