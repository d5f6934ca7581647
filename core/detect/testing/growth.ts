const SMALL = 8_192;
const FACTOR = 16;
const TRIES = 6;

/** CPU time in milliseconds, which excludes other work on the machine. */
function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

/**
 * Whether the time of `work` is linear in the given length. At 16 times the length, quadratic work takes 256 times as
 * long in every attempt; linear work stays below half of that in at least one attempt, however busy the machine is.
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
