import { type Options, Presets, SingleBar } from 'cli-progress';

interface ProgressLine {
  /** `values`: the fields of the format. */
  show(total: number, done: number, values: object): void;
  stop(): void;
}

/**
 * A line of progress on standard error. A terminal shows it from the first values on. Other programs get a line every
 * `pipedEveryMs` and one at the end, and none from shorter work, whose result says the same.
 */
export function progressLine(
  options: Options,
  pipedEveryMs: number,
  stream: NodeJS.WriteStream = process.stderr,
): ProgressLine {
  const firstAt = performance.now() + (stream.isTTY === true ? 0 : pipedEveryMs);
  const bar = new SingleBar(
    { ...options, stream, hideCursor: true, noTTYOutput: true, notTTYSchedule: pipedEveryMs },
    Presets.shades_classic,
  );
  let isShown = false;
  return {
    show: (total, done, values) => {
      if (isShown) bar.update(done, values);
      else if (performance.now() >= firstAt) {
        bar.start(total, done, values);
        isShown = true;
      }
    },
    stop: () => {
      if (isShown) bar.stop();
    },
  };
}
