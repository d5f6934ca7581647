/** Totals of a stage of a live service, from `/metrics`: seconds of work and number of audits so far. */
export interface StageTotals {
  readonly seconds: number;
  readonly audits: number;
}

const SECONDS = 'cas_stage_duration_seconds_sum';
const AUDITS = 'cas_stage_audits_total';
const LINE = /^(\w+)\{stage="([^"]+)"[^}]*\} (\S+)$/;

/** Totals by stage, in the service's order. Empty for a service that does not measure stages. */
export function stageTotals(metrics: string): Map<string, StageTotals> {
  const totals = new Map<string, StageTotals>();
  for (const line of metrics.split('\n')) {
    const [, name, stage, value] = LINE.exec(line) ?? [];
    if (stage === undefined || (name !== SECONDS && name !== AUDITS)) continue;
    const sofar = totals.get(stage) ?? { seconds: 0, audits: 0 };
    totals.set(
      stage,
      name === SECONDS ? { ...sofar, seconds: Number(value) } : { ...sofar, audits: Number(value) },
    );
  }
  return totals;
}

/** Microseconds per audit and stage between two scrapes. */
export function stageUs(
  before: ReadonlyMap<string, StageTotals>,
  after: ReadonlyMap<string, StageTotals>,
  audits: number,
): Map<string, number> {
  const used = [...after].map(([stage, { seconds }]) => {
    const spent = seconds - (before.get(stage)?.seconds ?? 0);
    return [stage, (spent / audits) * 1e6] as const;
  });
  return new Map(used.filter(([, us]) => us > 0));
}
