import type { Totals } from '#core/evidence/frameworks/facts.ts';
import type { CountRow } from '#platform/warehouse/queries/evidence/attestations.ts';
import { groupBy } from '#schemas/group-by.ts';

const NOTHING: Omit<CountRow, 'part' | 'number' | 'name'> = {
  signals: 0,
  high: 0,
  violating: 0,
  personal: 0,
  redacted: 0,
  withoutOrigin: 0,
  newer: 0,
  newerHigh: 0,
  older: 0,
  olderHigh: 0,
  samples: [],
};

/** Groups the rows by scope and rule. */
export function countsOf(rows: readonly CountRow[]) {
  const grouped = groupBy(rows, ({ part, number }) => `${part} ${number}`);
  const of = (part: CountRow['part'], number: number): readonly CountRow[] =>
    grouped.get(`${part} ${number}`) ?? [];
  const byCode = (found: readonly CountRow[]) => new Map(found.map(({ name, signals }) => [name, signals]));
  const totals = (row: typeof NOTHING): Totals & { newer: Totals; older: Totals } => ({
    signals: row.signals,
    high: row.high,
    newer: { signals: row.newer, high: row.newerHigh },
    older: { signals: row.older, high: row.olderHigh },
  });
  return {
    scope: (number: number) => {
      const [row = NOTHING] = of('scope', number);
      const { withoutOrigin, personal, redacted } = row;
      const providers = of('provider', number).filter(({ name }) => name !== '');
      return {
        ...totals(row),
        withoutOrigin,
        personal,
        redacted,
        byCode: byCode(of('code', number)),
        providers: providers.map((one) => ({ ...one, provider: one.name })),
      };
    },
    rule: (number: number, scope: number, ids: ReadonlyMap<number, string>) => {
      const [row = NOTHING] = of('rule', number);
      // A rule that takes every signal with its codes shares the counts of its scope.
      const own = of('ruleCode', number);
      const codes = own.length > 0 ? own : of('code', scope);
      return {
        ...totals(row),
        byCode: byCode(row.signals === 0 ? [] : codes),
        sampleSignalIds: row.samples.flatMap((index) => ids.get(index) ?? []),
      };
    },
  };
}
