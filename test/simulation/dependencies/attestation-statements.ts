import type { EntryRow, SignalRow } from '#schemas/tables/tables.ts';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import type { MemoryStore } from '#services/sink/testing/memory-store.ts';
import { ledgerOf, newestEntries } from './newest-rows.ts';
import { countedSignals, isWithin } from './package-statements.ts';

type Params = Readonly<Record<string, unknown>>;
type Statement = readonly [RegExp, (store: MemoryStore, params: Params) => readonly object[]];

const SAMPLES = 10;
const isHigh = ({ riskLevel }: SignalRow): boolean => riskLevel === 'HIGH' || riskLevel === 'CRITICAL';

/** Statements of attestations (`platform/warehouse/queries/evidence/attestations.ts` and its neighbours). */
export const ATTESTATION_STATEMENTS: readonly Statement[] = [
  [/newest\.1 AS regulations/, sandboxes],
  [/\('rule', rule, ''\)/, (store, params) => counts(store, params)],
  [/SELECT 'provider' AS part/, (store, params) => providers(store, params)],
  [
    /uniqExact\(`index`\) AS calls/,
    (store, params) => [{ calls: entriesBelow(store, params, 'AUDITOR_ACCESS').length }],
  ],
  [
    /AS detectors\s+FROM signals FINAL/,
    (store, params) =>
      countedSignals(store, params)
        .filter(({ auditId }) => (params.auditIds as readonly string[]).includes(auditId))
        .map((row) => ({
          ...row,
          detectors: (JSON.parse(row.detections || '[]') as { detector: string }[]).map(
            (one) => one.detector,
          ),
        })),
  ],
  [
    /SELECT DISTINCT `index`, id FROM ledger/,
    (store, { customerId, indexes }) =>
      ledgerOf(store, customerId).filter(({ index }) => (indexes as readonly number[]).includes(index)),
  ],
  [/newest\.2 AS status/, (store, params) => incidents(store, params)],
  [/newest\.2 AS framework/, policies],
  [
    /AS byRetention/,
    (store, params) => {
      const reasons = entriesBelow(store, params, 'ERASURE').map(
        ({ core }) => (JSON.parse(core ?? '{}') as { reason?: string }).reason ?? '',
      );
      const asked = ['DATA_SUBJECT_REQUEST', 'CUSTOMER_REQUEST'];
      return [
        {
          byRetention: reasons.filter((reason) => reason === 'RETENTION').length,
          asked: reasons.filter((reason) => asked.includes(reason)).length,
        },
      ];
    },
  ],
];

const entriesBelow = (store: MemoryStore, params: Params, kind: string): EntryRow[] =>
  newestEntries(store, params.customerId).filter(
    (row) => row.kind === kind && row.index < Number(params.below) && isWithin(params, row.at),
  );

/** The newest version of each document in the entries of a kind below a ledger size. */
function newestCores<Core extends { readonly version: number }>(
  store: MemoryStore,
  { customerId, below }: Params,
  { kind, prefix, nameOf }: { kind: string; prefix: RegExp; nameOf: (core: Core) => string },
): Core[] {
  const found = new Map<string, Core>();
  for (const row of newestEntries(store, customerId)) {
    if (row.kind !== kind || !prefix.test(row.id) || row.index >= Number(below) || row.core === null)
      continue;
    const core = JSON.parse(row.core) as Core;
    if (core.version > (found.get(nameOf(core))?.version ?? -1)) found.set(nameOf(core), core);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, core]) => core);
}

interface SandboxCore {
  readonly sandboxId: string;
  readonly version: number;
  readonly active: boolean;
  readonly deletedAt?: string | null;
}

function sandboxes(store: MemoryStore, params: Params): object[] {
  const of = { kind: 'POLICY_EVENT', prefix: /^sandbox:/, nameOf: (core: SandboxCore) => core.sandboxId };
  return newestCores(store, params, of).map((core) => ({
    ...core,
    inUse: core.active && (core.deletedAt ?? null) === null,
  }));
}

interface IncidentCore {
  readonly incidentId: string;
  readonly version: number;
}

const incidents = (store: MemoryStore, params: Params): object[] =>
  newestCores(store, params, {
    kind: 'INCIDENT_EVENT',
    prefix: /./,
    nameOf: (core: IncidentCore) => core.incidentId,
  });

interface PolicyCore {
  readonly type: string;
  readonly policyId: string;
  readonly version: number;
  readonly framework: string | null;
  readonly retentionDays?: number;
  readonly active: boolean;
  readonly deletedAt?: string | null;
}

function policies(store: MemoryStore, params: Params): object[] {
  const nameOf = ({ type, policyId }: PolicyCore): string => `${type} ${policyId}`;
  const orderOf = ({ type, framework, retentionDays = 0 }: PolicyCore): string =>
    `${type} ${framework ?? '~'} ${String(retentionDays).padStart(6, '0')}`;
  return newestCores(store, params, { kind: 'POLICY_EVENT', prefix: /^(policy|retention):/, nameOf })
    .filter(({ active, deletedAt = null }) => active && deletedAt === null)
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    .map(({ type, framework, retentionDays = 0 }) => ({ type, framework, retentionDays }));
}

/** Bits of the signal's sandbox: its scopes, and after eight of them whether it redacts. */
function bitsOf({ sandboxId }: SignalRow, params: Params): number {
  const index = (params.sandboxes as readonly string[]).indexOf(sandboxId);
  return index < 0 ? Number(params.all) : Number((params.bits as readonly number[])[index]);
}

const scopesOf = (row: SignalRow, params: Params): number[] =>
  Array.from({ length: Number(params.scopeCount) }, (_, scope) => scope).filter(
    (scope) => ((bitsOf(row, params) >> scope) & 1) === 1,
  );

/** Bits for the signal's codes, followed by bits for findings of detectors that rules name. */
function maskOf({ violations, detections }: SignalRow, params: Params): bigint {
  let mask = 0n;
  for (const [index, code] of VIOLATION_CODES.entries())
    if (violations.includes(code)) mask |= 1n << BigInt(index);
  for (let index = 0; params[`detector${index}`] !== undefined; index += 1)
    if (detections.includes(String(params[`detector${index}`])))
      mask |= 1n << BigInt(VIOLATION_CODES.length + index);
  return mask;
}

function rulesOf(row: SignalRow, params: Params): number[] {
  const mask = maskOf(row, params);
  const has = (name: string, rule: number): boolean =>
    (mask & BigInt((params[name] as readonly number[])[rule]!)) !== 0n;
  const isAsked = (name: string, rule: number): boolean => (params[name] as readonly number[])[rule] !== 0;
  const scopes = scopesOf(row, params);
  return Array.from({ length: Number(params.ruleCount) }, (_, rule) => rule).filter(
    (rule) =>
      scopes.includes((params.ruleScopes as readonly number[])[rule]!) &&
      has('ruleCodes', rule) &&
      (!isAsked('ruleTogether', rule) || has('ruleTogether', rule)) &&
      (!isAsked('ruleFound', rule) || has('ruleFound', rule)) &&
      (!isAsked('ruleHighOnly', rule) || isHigh(row)),
  );
}

function counts(store: MemoryStore, params: Params): object[] {
  const groups = new Map<string, SignalRow[]>();
  const add = (part: string, number: number, name: string, row: SignalRow): void => {
    const key = JSON.stringify([part, number, name]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  };
  for (const row of countedSignals(store, params)) {
    const codes = VIOLATION_CODES.filter((code) => row.violations.includes(code));
    for (const scope of scopesOf(row, params)) {
      add('scope', scope, '', row);
      for (const code of codes) add('code', scope, code, row);
    }
    for (const rule of rulesOf(row, params)) {
      add('rule', rule, '', row);
      if ((params.narrow as readonly number[]).includes(rule))
        for (const code of codes) add('ruleCode', rule, code, row);
    }
  }
  return [...groups].map(([key, rows]) => {
    const [part, number, name] = JSON.parse(key) as [string, number, string];
    return { part, number, name, ...countsOf(rows, params), samples: part === 'rule' ? samplesOf(rows) : [] };
  });
}

function countsOf(rows: readonly SignalRow[], params: Params): object {
  const count = (is: (row: SignalRow) => boolean): number => rows.filter(is).length;
  const at = ({ createdAt }: SignalRow): number => Date.parse(createdAt);
  const [older, newer] = [params.olderFrom as Date, params.newerFrom as Date].map((time) => time.getTime());
  const isNewer = (row: SignalRow): boolean => at(row) >= newer!;
  const isOlder = (row: SignalRow): boolean => at(row) >= older! && at(row) < newer!;
  const isRedacted = (row: SignalRow): boolean => ((bitsOf(row, params) >> 8) & 1) === 1;
  return {
    signals: rows.length,
    high: count(isHigh),
    violating: count(({ violations }) => violations.length > 0),
    personal: count(({ piiDetected }) => piiDetected),
    redacted: count((row) => row.piiDetected && isRedacted(row)),
    withoutOrigin: count(({ provider, model, region }) => provider === '' || model === '' || region === ''),
    newer: count(isNewer),
    newerHigh: count((row) => isNewer(row) && isHigh(row)),
    older: count(isOlder),
    olderHigh: count((row) => isOlder(row) && isHigh(row)),
  };
}

const samplesOf = (rows: readonly SignalRow[]): number[] =>
  rows
    .toSorted((one, other) => Number(isHigh(other)) - Number(isHigh(one)) || other.index - one.index)
    .slice(0, SAMPLES)
    .map(({ index }) => index);

function providers(store: MemoryStore, params: Params): object[] {
  const groups = new Map<string, SignalRow[]>();
  for (const row of countedSignals(store, params))
    for (const number of scopesOf(row, params)) {
      const key = JSON.stringify([number, row.provider]);
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
  return [...groups].map(([key, rows]) => {
    const [number, name] = JSON.parse(key) as [number, string];
    const personal = rows.filter(({ piiDetected }) => piiDetected).length;
    const violating = rows.filter(({ violations }) => violations.length > 0).length;
    const zeros = { high: 0, redacted: 0, withoutOrigin: 0, newer: 0, newerHigh: 0, older: 0, olderHigh: 0 };
    return {
      part: 'provider',
      number,
      name,
      signals: rows.length,
      violating,
      personal,
      ...zeros,
      samples: [],
    };
  });
}
