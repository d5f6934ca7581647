import type { LogRecord } from '#platform/event-log/port.ts';
import type { Harness } from './harness.ts';

/** From now on the next append of such a record waits for `resume`; `reached` resolves once an append is waiting. */
export function holdAppends(log: Harness['log'], isHeld: (record: LogRecord | undefined) => boolean) {
  const append = log.append.bind(log);
  let resume: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    log.append = async (records) => {
      if (isHeld(records[0])) {
        resolve();
        await held;
      }
      return append(records);
    };
  });
  return { reached, resume };
}
