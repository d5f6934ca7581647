import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { CATALOGUES } from '#core/evidence/frameworks/catalogues.ts';
import { isHigh, isMapped } from '#core/evidence/frameworks/mapped-signals.ts';
import { blanked, sampleCore, sampleDraft, storedRows, timeOf } from '#core/evidence/testing/sample-chain.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { createLogger } from '#platform/telemetry/logger.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ENTRIES, LEDGER, SIGNALS, type SignalRow } from '#schemas/tables/tables.ts';
import { RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { openWarehouse } from '../../client/clickhouse.ts';
import { migrate } from '../../client/migrations.ts';
import { type EmbeddedWarehouse, startEmbeddedWarehouse } from '../../embedded/process.ts';
import type { Warehouse } from '../../port.ts';
import {
  type CountPlan,
  type CountRow,
  type CountRule,
  countForControls,
  entryIdsAt,
  markedSignals,
  sandboxesBelow,
} from './attestations.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'attestations-'));
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
beforeEach(async () => {
  for (const { name } of [SIGNALS, LEDGER, ENTRIES]) await warehouse.command(`TRUNCATE TABLE ${name}`);
});

const CUSTOMER = '0190aaaa-0000-7000-8000-0000000000c1';
const OTHER = '0190aaaa-0000-7000-8000-0000000000c2';
const [A, B, C] = ['sandbox-a', 'sandbox-b', 'sandbox-c'] as const;

interface Given {
  readonly sandboxId?: string;
  readonly riskLevel?: string;
  readonly violations?: readonly string[];
  readonly provider?: string;
  readonly region?: string;
  readonly piiDetected?: boolean;
  readonly detectors?: readonly string[];
  readonly customerId?: string;
}

/** Rows of these signals in a customer's ledger. */
function rowsOf(given: readonly Given[], customerId = CUSTOMER) {
  const { ledger, signals } = storedRows(
    given.map(({ detectors, customerId: _, ...core }, index) => ({
      ...sampleDraft(index, 'SIGNAL', { ...sampleCore(index), ...core }),
      customerId,
    })),
  );
  const withDetections = signals.map((row, index) => {
    const { detectors } = given[index]!;
    const found = detectors?.map((detector) => ({ code: 'EMAIL', count: 1, detector, version: 1 }));
    return found === undefined ? row : { ...row, detections: JSON.stringify(found) };
  });
  return { ledger, signals: withDetections };
}

async function store(rows: ReturnType<typeof rowsOf>, erased: readonly SignalRow[] = []): Promise<void> {
  await warehouse.insert(LEDGER.name, columnNames(LEDGER), rows.ledger);
  await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), rows.signals);
  if (erased.length > 0) await warehouse.insert(SIGNALS.name, columnNames(SIGNALS), erased);
}

const rule = (codes: readonly string[], change: Partial<CountRule> = {}): CountRule => ({
  scope: 0,
  codes,
  togetherWith: [],
  detectors: [],
  highOnly: false,
  ...change,
});
const plan = (change: Partial<CountPlan> = {}): CountPlan => ({
  customerId: CUSTOMER,
  below: 1_000,
  scopes: [null],
  protecting: [],
  rules: [],
  withProviders: true,
  withSamples: true,
  olderFrom: 0,
  newerFrom: 0,
  ...change,
});
const one = (
  rows: readonly CountRow[],
  part: CountRow['part'],
  number = 0,
  name = '',
): CountRow | undefined =>
  rows.find((row) => row.part === part && row.number === number && row.name === name);
const at = (index: number): number => Date.parse(timeOf(index));

describe('counts', () => {
  test('include only this customer’s signals of the period, below the checkpoint and not erased', async () => {
    const given = Array.from({ length: 10 }, (): Given => ({ violations: ['EMAIL'] }));
    const rows = rowsOf(given);
    const erased = [blanked(rows.signals[2]!, 'ALL', 20), blanked(rows.signals[3]!, 'DETAIL', 21)];
    await store(rows, erased);
    await store(rowsOf(given, OTHER));
    const counted = async (change: Partial<CountPlan>) => {
      const found = await countForControls(warehouse, plan({ rules: [rule(['EMAIL'])], ...change }));
      return [one(found, 'scope')?.signals ?? 0, one(found, 'rule')?.signals ?? 0];
    };
    expect(await counted({})).toEqual([9, 9]);
    expect(await counted({ below: 5 })).toEqual([4, 4]);
    expect(await counted({ below: 0 })).toEqual([0, 0]);
    expect(await counted({ from: at(4), to: at(6) })).toEqual([3, 3]);
    expect(await counted({ from: at(4), below: 6 })).toEqual([2, 2]);
  });

  test('include the signals of a scope’s sandboxes, and a signal may be in several scopes', async () => {
    await store(
      rowsOf([
        { sandboxId: A, violations: ['EMAIL', 'SSN'], riskLevel: 'HIGH' },
        { sandboxId: A, violations: [], riskLevel: 'LOW', piiDetected: false },
        { sandboxId: B, violations: ['EMAIL'], riskLevel: 'CRITICAL' },
        { sandboxId: C, violations: ['XSS'], riskLevel: 'MEDIUM', provider: 'gemini', region: '' },
      ]),
    );
    const asked = plan({
      scopes: [[A], null, [A, B], ['of nobody']],
      protecting: [A],
      rules: [rule(['EMAIL']), rule(['EMAIL'], { scope: 2 }), rule(['XSS'], { scope: 1 })],
      olderFrom: at(1),
      newerFrom: at(3),
    });
    const rows = await countForControls(warehouse, asked);
    expect([0, 1, 2, 3].map((scope) => one(rows, 'scope', scope)?.signals)).toEqual([2, 4, 3, undefined]);
    expect(one(rows, 'scope', 1)).toMatchObject({
      high: 2,
      violating: 3,
      personal: 3,
      redacted: 1,
      withoutOrigin: 1,
      newer: 1,
      newerHigh: 0,
      older: 2,
      olderHigh: 1,
    });
    expect(one(rows, 'code', 1, 'EMAIL')).toMatchObject({ signals: 2, high: 2 });
    expect(one(rows, 'code', 0, 'EMAIL')).toMatchObject({ signals: 1 });
    expect(one(rows, 'code', 0, 'XSS')).toBeUndefined();
    expect(one(rows, 'provider', 1, 'openai')).toMatchObject({ signals: 3, violating: 2 });
    expect(one(rows, 'provider', 0, 'gemini')).toBeUndefined();
    expect([0, 1, 2].map((number) => one(rows, 'rule', number)?.signals)).toEqual([1, 2, 1]);
    expect(one(rows, 'rule', 1)?.samples).toEqual([2, 0]);
    const withoutProviders = await countForControls(warehouse, { ...asked, withProviders: false });
    expect(withoutProviders).toEqual(rows.filter(({ part }) => part !== 'provider'));
  });

  test('name ten signals per rule: HIGH and CRITICAL ones first, then the newest', async () => {
    const given = Array.from(
      { length: 30 },
      (_, index): Given => ({
        violations: ['EMAIL', ...(index % 2 === 0 ? ['SSN'] : [])],
        riskLevel: index === 3 ? 'CRITICAL' : index === 7 ? 'HIGH' : 'MEDIUM',
      }),
    );
    await store(rowsOf(given));
    const rows = await countForControls(warehouse, plan({ rules: [rule(['EMAIL'])], below: 25 }));
    const { samples } = one(rows, 'rule')!;
    expect(samples).toEqual([7, 3, 24, 23, 22, 21, 20, 19, 18, 17]);
    const ids = await entryIdsAt(warehouse, CUSTOMER, samples);
    expect(ids.get(7)).toBe(sampleCore(7).auditId);
    expect(ids.size).toBe(10);
    expect(await entryIdsAt(warehouse, OTHER, samples)).toEqual(new Map());
    const without = await countForControls(
      warehouse,
      plan({ rules: [rule(['EMAIL'])], below: 25, withSamples: false }),
    );
    expect(without).toEqual(rows.map((row) => ({ ...row, samples: [] })));
  });

  test('of every catalogue rule agree with evaluating the rule on each signal', async () => {
    const given = fc.sample(
      fc.record({
        sandboxId: fc.constantFrom(A, B, C),
        riskLevel: fc.constantFrom(...RISK_LEVELS),
        violations: fc.uniqueArray(fc.constantFrom(...VIOLATION_CODES), { maxLength: 5 }),
        detectors: fc.uniqueArray(fc.constantFrom('cvv', 'email', 'phone'), { maxLength: 2 }),
      }),
      { numRuns: 500, seed: 7 },
    );
    await store(rowsOf(given));
    const ids: (readonly string[] | null)[] = [[A], null, [B, C]];
    const mappings = [
      ...CATALOGUES.flatMap(({ controls }) => controls.flatMap(({ mapping }) => mapping ?? [])),
      // No catalogue uses this detector, which has no column of its own.
      { codes: ['EMAIL', 'PHONE', 'SSN'], togetherWith: [], detectors: ['phone'], highOnly: false } as const,
    ];
    const rules = mappings.map((mapping, number) => ({ ...mapping, scope: number % ids.length }));
    const rows = await countForControls(warehouse, plan({ scopes: ids, rules }));
    for (const [number, { scope, ...mapping }] of rules.entries()) {
      const named = ids[scope];
      const meant = given.filter(
        (signal) => (named?.includes(signal.sandboxId) ?? true) && isMapped(mapping, signal),
      );
      const { signals = 0, high = 0 } = one(rows, 'rule', number) ?? {};
      expect([mapping, signals, high]).toEqual([mapping, meant.length, meant.filter(isHigh).length]);
      const isNarrow = mapping.togetherWith.length + mapping.detectors.length > 0 || mapping.highOnly;
      if (!isNarrow) continue;
      for (const code of VIOLATION_CODES)
        expect(one(rows, 'ruleCode', number, code)?.signals ?? 0).toBe(
          meant.filter(({ violations }) => violations.includes(code)).length,
        );
    }
  });

  test('name only the most frequent providers if there are too many', async () => {
    const given = Array.from({ length: 100 }, (_, index): Given => ({ provider: `p${index % 80}` }));
    await store(rowsOf(given));
    const providers = (await countForControls(warehouse, plan())).filter(({ part }) => part === 'provider');
    expect(providers).toHaveLength(64);
    expect(providers.slice(0, 20).every(({ signals }) => signals === 2)).toBe(true);
  });
});

describe('marked signals', () => {
  test('are the counted ones among the given ids', async () => {
    const rows = rowsOf([
      { sandboxId: A, violations: ['EMAIL'], detectors: ['email', 'cvv'] },
      { sandboxId: B },
      { sandboxId: C },
    ]);
    await store(rows, [blanked(rows.signals[1]!, 'ALL', 9)]);
    const ids = [0, 1, 2, 3].map((index) => sampleCore(index).auditId);
    const marked = await markedSignals(warehouse, { customerId: CUSTOMER, below: 2 }, ids);
    expect(marked).toEqual([
      {
        auditId: ids[0],
        sandboxId: A,
        riskLevel: 'HIGH',
        violations: ['EMAIL'],
        detectors: ['email', 'cvv'],
      },
    ]);
    expect(await markedSignals(warehouse, { customerId: CUSTOMER, below: 2 }, [])).toEqual([]);
  });
});

describe('sandboxes', () => {
  const version = (index: number, sandboxId: string, change: object, number: number) => ({
    ...sampleDraft(index, 'POLICY_EVENT', {
      type: 'SANDBOX',
      sandboxId,
      version: number,
      slug: sandboxId,
      regulations: ['GDPR'],
      guardianAction: 'REDACT_AND_CONTINUE',
      redactionStrategy: 'FULL',
      active: true,
      deletedAt: null,
      ...change,
    }),
    customerId: CUSTOMER,
    id: `sandbox:${sandboxId}:${number}`,
  });

  test('are returned in their newest version below the checkpoint', async () => {
    const { entries } = storedRows([
      version(0, A, {}, 1),
      version(1, B, { active: false }, 1),
      version(2, A, { regulations: ['HIPAA', 'X'], guardianAction: 'ALLOW_ALL' }, 10),
      version(3, A, {}, 9),
      version(4, B, { active: true, deletedAt: timeOf(4) }, 2),
      version(5, A, { regulations: [] }, 11),
    ]);
    await warehouse.insert(ENTRIES.name, columnNames(ENTRIES), entries);
    expect(await sandboxesBelow(warehouse, CUSTOMER, 5)).toEqual([
      {
        sandboxId: A,
        regulations: ['HIPAA', 'X'],
        guardianAction: 'ALLOW_ALL',
        redactionStrategy: 'FULL',
        inUse: true,
      },
      {
        sandboxId: B,
        regulations: ['GDPR'],
        guardianAction: 'REDACT_AND_CONTINUE',
        redactionStrategy: 'FULL',
        inUse: false,
      },
    ]);
    expect((await sandboxesBelow(warehouse, CUSTOMER, 6))[0]?.regulations).toEqual([]);
    expect((await sandboxesBelow(warehouse, CUSTOMER, 2))[1]?.inUse).toBe(false);
    expect(await sandboxesBelow(warehouse, OTHER, 6)).toEqual([]);
  });
});
