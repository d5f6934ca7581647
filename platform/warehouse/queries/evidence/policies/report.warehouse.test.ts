import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { blanked, sampleCore, sampleDraft, storedRows } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { SIGNALS } from '#schemas/tables/tables.ts';
import { RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { openWarehouse } from '../../../client/clickhouse.ts';
import { migrate } from '../../../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../../../embedded/process.ts';
import type { Warehouse } from '../../../port.ts';
import { countForPolicy, type PolicyCountPlan, type PolicyCountRow } from './report.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'policies-'));
const logger = createLogger('silent');
let engine: EmbeddedWarehouse;
let warehouse: Warehouse;

beforeAll(async () => {
  engine = await startEmbeddedWarehouse({ path: folder, logger });
  warehouse = openWarehouse({ ...engine, logger });
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
}, 60_000);
afterAll(async () => {
  await warehouse.close();
  await engine.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => warehouse.command(`TRUNCATE TABLE ${SIGNALS.name}`));

const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const START = Date.UTC(2026, 0, 1);

interface Given {
  readonly sandboxId: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
  /** Milliseconds after START. */
  readonly at: number;
}

const rowsOf = (given: readonly Given[], customerId = CUSTOMER) =>
  storedRows(
    given.map(({ at, ...core }, index) => ({
      ...sampleDraft(index, 'SIGNAL', {
        ...sampleCore(index),
        ...core,
        createdAt: new Date(START + at).toISOString(),
      }),
      customerId,
    })),
  ).signals;
const store = (rows: ReturnType<typeof rowsOf>) => warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows);

/** The reference implementation: for each count, a loop over all signals. */
function naive(given: readonly Given[], plan: PolicyCountPlan): PolicyCountRow[] {
  const { below, sandboxIds, from = 0, to, rules } = plan;
  const fits = ({ code, minRiskLevel }: (typeof rules)[number], signal: Given): boolean =>
    RISK_LEVELS.indexOf(signal.riskLevel as 'LOW') >= RISK_LEVELS.indexOf(minRiskLevel as 'LOW') &&
    (code === null ? signal.violations.length > 0 : signal.violations.includes(code));
  const known = given
    .map((signal, index) => ({ ...signal, index, at: START + signal.at }))
    .filter(({ index, at }) => index < below && at <= to)
    .filter(({ sandboxId }) => sandboxIds === null || sandboxIds.includes(sandboxId));
  const row = (
    part: PolicyCountRow['part'],
    number: number,
    name: string,
    signals: typeof known,
  ): PolicyCountRow[] =>
    signals.length === 0
      ? []
      : [
          {
            part,
            number,
            name,
            signals: signals.length,
            passing: signals.filter((signal) => !rules.some((rule) => fits(rule, signal))).length,
            samples:
              part === 'rule'
                ? signals
                    .map(({ index }) => index)
                    .reverse()
                    .slice(0, 10)
                : [],
          },
        ];
  const period = known.filter(({ at }) => at >= from);
  return [
    ...row('all', 0, '', period),
    ...VIOLATION_CODES.flatMap((code) =>
      row(
        'code',
        0,
        code,
        period.filter(({ violations }) => violations.includes(code)),
      ),
    ),
    ...rules.flatMap((rule, number) =>
      row(
        'rule',
        number,
        '',
        known.filter((signal) => signal.at >= rule.since && fits(rule, signal)),
      ),
    ),
  ];
}

const byKey = (rows: readonly PolicyCountRow[]) =>
  Object.fromEntries(rows.map((row) => [`${row.part} ${row.number} ${row.name}`, row]));

const CODES = ['EMAIL', 'CUSTOM_RULE', VIOLATION_CODES[0]!, VIOLATION_CODES.at(-1)!];
const signal = fc.record({
  sandboxId: fc.constantFrom('a', 'b', 'c'),
  riskLevel: fc.constantFrom(...RISK_LEVELS),
  violations: fc.uniqueArray(fc.constantFrom(...CODES)),
  at: fc.integer({ min: 0, max: 20 }),
});
const rule = fc.record({
  code: fc.constantFrom(null, ...CODES),
  minRiskLevel: fc.constantFrom(...RISK_LEVELS),
  since: fc.integer({ min: 0, max: 22 }).map((at) => START + at),
});

describe('the counts of a policy', () => {
  test('equal those of a loop over all signals', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(signal, { maxLength: 30 }),
        fc.array(rule, { minLength: 1, maxLength: 64 }),
        fc.constantFrom(null, [], ['a'], ['a', 'c']),
        fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
        fc.integer({ min: 0, max: 20 }),
        fc.nat(30),
        async (given, rules, sandboxIds, from, to, below) => {
          await warehouse.command(`TRUNCATE TABLE ${SIGNALS.name}`);
          const foreign = rowsOf(given, '0190aaaa-0000-7000-8000-0000000000c2');
          if (given.length > 0) await store([...rowsOf(given), ...foreign]);
          const plan = {
            customerId: CUSTOMER,
            below,
            sandboxIds,
            from: from === undefined ? undefined : START + from,
            to: START + to,
            rules,
          };
          expect(byKey(await countForPolicy(warehouse, plan))).toEqual(byKey(naive(given, plan)));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('exclude erased signals', async () => {
    const given = [0, 1].map((at) => ({ sandboxId: 'a', riskLevel: 'HIGH', violations: ['EMAIL'], at }));
    const rows = rowsOf(given);
    await store([...rows, blanked(rows[0]!, 'ALL', 2)]);
    const rules = [{ code: 'EMAIL', minRiskLevel: 'LOW', since: START }];
    const plan = { customerId: CUSTOMER, below: 9, sandboxIds: null, from: undefined, to: START + 9, rules };
    expect(byKey(await countForPolicy(warehouse, plan))).toMatchObject({
      'all 0 ': { signals: 1, passing: 0 },
      'rule 0 ': { signals: 1, samples: [1] },
    });
  });

  test('are refused for more rules than a number has bits', async () => {
    const rules = Array.from({ length: 65 }, (_, at) => ({ code: null, minRiskLevel: 'LOW', since: at }));
    const plan = { customerId: CUSTOMER, below: 9, sandboxIds: null, from: undefined, to: START, rules };
    await expect(countForPolicy(warehouse, plan)).rejects.toThrow('too many rules');
  });
});
