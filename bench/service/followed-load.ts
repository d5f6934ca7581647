import { type LoadResult, openLoop } from '../load/open-loop.ts';
import type { Shot } from '../load/raw-http.ts';
import { auditIdOf, untilVisible } from '../load/triplets.ts';
import { type Cost, type EmbeddedService, measureCost } from './embedded-service.ts';

/** Audits a second that are polled until they are stored: each poll is a further request. */
const FOLLOWED_PER_SECOND = 2;

export interface FollowedLoad {
  readonly load: LoadResult;
  /** From a 202 to the stored signal, of the audits that were followed, ascending. */
  readonly visibleMs: readonly number[];
  /** Includes what the pipeline still does for the load after its end. */
  readonly cost: Cost;
}

/** Sends at a steady rate, and follows some of the audits until their signals are stored. */
export async function followedLoad(
  { pid, target }: EmbeddedService,
  shots: (number: number) => Shot,
  ratePerSecond: number,
  seconds: number,
): Promise<FollowedLoad> {
  const visible: Promise<number>[] = [];
  const every = Math.max(1, Math.round(ratePerSecond / FOLLOWED_PER_SECOND));
  const cost = measureCost(pid);
  const load = await openLoop(target.url, ratePerSecond, seconds, shots, (number, answer, answeredAt) => {
    if (number % every !== 0) return;
    visible.push(untilVisible(target, number, auditIdOf(answer.body()), answeredAt));
  });
  const visibleMs = (await Promise.all(visible)).toSorted((a, b) => a - b);
  return { load, visibleMs, cost: cost() };
}
