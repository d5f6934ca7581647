/** A named place where a test may kill the process. */
export type CrashPoint = (name: string) => void;

/**
 * `spec` is `point` or `point:n`: at the n-th pass of that point the process is killed by SIGKILL, as by a power
 * failure. Without a spec nothing happens.
 */
export function createCrashPoint(spec: string | null): CrashPoint {
  if (spec === null) return () => undefined;
  const [point, times = '1'] = spec.split(':');
  let left = Number(times);
  return (name) => {
    if (name !== point) return;
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
}
