import type { MeasuredLoad } from '../service/measured-load.ts';

/** Both pipelines, one after the other. */
export interface Round {
  readonly ours: MeasuredLoad;
  readonly naive: MeasuredLoad;
}

/** Cores that the shared servers take while nothing is sent, by name. */
export interface IdleCores {
  /** While only the naive pipeline waits. */
  readonly naive: ReadonlyMap<string, number>;
  /** While the service waits too. */
  readonly both: ReadonlyMap<string, number>;
}

/** Name of the sum. */
export const ALL = 'all';

/** CPU ms per audit by process, and of all of them. */
export function cpuMsPerAudit({ load, usage }: MeasuredLoad): Map<string, number> {
  const perAudit = usage.map(({ name, cpuSeconds }) => [name, (cpuSeconds / load.ok) * 1_000] as const);
  return new Map([...perAudit, [ALL, perAudit.reduce((sum, [, ms]) => sum + ms, 0)]]);
}

/** A naive load without what the waiting service asks of the servers that both use. */
export function withoutWaiting(measured: MeasuredLoad, idle: IdleCores): MeasuredLoad {
  const waiting = (name: string): number =>
    Math.max(0, (idle.both.get(name) ?? 0) - (idle.naive.get(name) ?? 0)) * measured.seconds;
  const usage = measured.usage.map((one) => ({
    ...one,
    cpuSeconds: Math.max(0, one.cpuSeconds - waiting(one.name)),
  }));
  return { ...measured, usage };
}

/** Ours to the naive one, over all rounds; null where a process is of one of them alone. */
export function ratioOf(rounds: readonly Round[], name = ALL): number | null {
  const sum = (measured: readonly MeasuredLoad[]): number =>
    measured.reduce((total, one) => total + (cpuMsPerAudit(one).get(name) ?? 0), 0);
  const [ours, naive] = [sum(rounds.map((one) => one.ours)), sum(rounds.map((one) => one.naive))];
  return ours === 0 || naive === 0 ? null : ours / naive;
}
