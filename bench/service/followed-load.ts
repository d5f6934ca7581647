import { type LoadResult, openLoop } from '../load/open-loop.ts';
import { ascending } from '../load/quantile.ts';
import { batchShots, ingestShots, untilVisible } from '../load/triplets.ts';
import { type Cost, type EmbeddedService, measureCost } from './embedded-service.ts';

/** Requests a second whose audits are polled until they are stored: each poll is a further request. */
const FOLLOWED_PER_SECOND = 2;

export interface FollowedLoad {
  readonly load: LoadResult;
  readonly audits: number;
  /** From the first request until the last audits that were followed are stored. */
  readonly seconds: number;
  /** From a 202 to the stored signal, of the audits that were followed, ascending. */
  readonly visibleMs: readonly number[];
  /** Includes what the pipeline still does for the load after its end. */
  readonly cost: Cost;
}

interface Batch {
  readonly accepted: number;
  readonly data: readonly { readonly auditId?: string }[];
}

/**
 * Sends so many audits a second, `size` in a request, and follows some of them, the last ones included, until their
 * signals are stored.
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
  const [cost, begunAt] = [measureCost(pid), performance.now()];
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
  return { load, audits, seconds: (performance.now() - begunAt) / 1_000, visibleMs, cost: cost() };
}
