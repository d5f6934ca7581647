const SMALL = 8_192;
const FACTOR = 16;
const TRIES = 6;

/** Milliseconds of processor time, so that other work on the machine does not count. */
function processorMs(work: () => void): number {
  const begin = process.cpuUsage();
  work();
  return process.cpuUsage(begin).user / 1_000;
}

/**
 * Whether the time of `work` is linear in the length that it is given. For 16 times the length, quadratic work takes
 * 256 times as long in every try; linear work stays below half of that in some try, however busy the machine is.
 */
export function growsInProportion(work: (length: number) => void): boolean {
  work(SMALL);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const small = processorMs(() => work(SMALL));
    const large = processorMs(() => work(SMALL * FACTOR));
    if (large <= ((FACTOR * FACTOR) / 2) * small + 5) return true;
  }
  return false;
}
