import { StateUnavailable } from '../../port.ts';

/**
 * The same calls with a deadline: a call that takes longer, over all its steps, rejects with `StateUnavailable`, and it
 * is unknown whether it took effect.
 */
export function withDeadline<Calls extends object>(calls: Calls, timeoutMs: number, where: string): Calls {
  const late = () =>
    new StateUnavailable(
      `Redis at ${where} did not answer within ${timeoutMs} ms; the call may have taken effect`,
    );
  const timed =
    (call: (...args: unknown[]) => Promise<unknown>) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(late()), timeoutMs);
        call(...args)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      });
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      timed(call as (...args: unknown[]) => Promise<unknown>),
    ]),
  ) as Calls;
}
