import { StateUnavailable } from './port.ts';

/**
 * The part, whose calls all end within the time: one that takes longer, however many steps it is made of, rejects with
 * `StateUnavailable`, and whether it took effect is not known.
 */
export function withDeadline<Part extends object>(part: Part, timeoutMs: number, where: string): Part {
  const late = () =>
    new StateUnavailable(
      `Redis at ${where} did not answer a call within ${timeoutMs} ms; whether it took effect is not known`,
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
    Object.entries(part).map(([name, call]) => [
      name,
      timed(call as (...args: unknown[]) => Promise<unknown>),
    ]),
  ) as Part;
}
