import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../port.ts';
import { BITS_OF_CODES, CODES, CODES_AS_BITS } from '../code-bits.ts';
import { allOf, type Condition, OWNED_BY, within } from '../owned-by.ts';
import { REQUEST_SECONDS } from '../select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** The signals to count, within a given size of the ledger. Times are Unix ms, both ends inclusive. */
export interface CountedSignals {
  readonly customerId: string;
  readonly below: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Selects the signals that a rule counts; several controls may share a rule. */
export interface CountRule {
  /** Index into the scopes. */
  readonly scope: number;
  /** The signal has one of these codes, */
  readonly codes: readonly string[];
  /** and, unless empty, one of these as well, */
  readonly togetherWith: readonly string[];
  /** and, unless empty, a match of one of these detectors, */
  readonly detectors: readonly string[];
  /** and, if true, risk level HIGH or CRITICAL. */
  readonly highOnly: boolean;
}

export interface CountPlan extends CountedSignals {
  /** Sandbox ids of each scope; null: all signals. At most 8, because a signal's scopes are the bits of a byte. */
  readonly scopes: readonly (readonly string[] | null)[];
  /** Sandboxes that redact or block. */
  readonly protecting: readonly string[];
  readonly rules: readonly CountRule[];
  /** Whether to count by provider. */
  readonly withProviders: boolean;
  /** Whether to return samples of each rule's signals. */
  readonly withSamples: boolean;
  /** Start of a trend's two windows, Unix ms; the newer one has no end. */
  readonly olderFrom: number;
  readonly newerFrom: number;
}

/** One count: of a scope, of a provider or code within a scope, of a rule, or of a code within a rule. */
export interface CountRow {
  readonly part: 'scope' | 'provider' | 'code' | 'rule' | 'ruleCode';
  /** Index of the scope or rule. */
  readonly number: number;
  /** Provider or code; '' for the total. */
  readonly name: string;
  readonly signals: number;
  readonly high: number;
  readonly violating: number;
  readonly personal: number;
  readonly redacted: number;
  readonly withoutOrigin: number;
  readonly newer: number;
  readonly newerHigh: number;
  readonly older: number;
  readonly olderHigh: number;
  /** For a rule, if requested: ledger indexes of ten signals, HIGH and CRITICAL first, then the newest. */
  readonly samples: readonly number[];
}

const SAMPLES = 10;
/** More than the number of codes; providers beyond this limit are omitted. */
const NAMES_OF_A_PART = 64;
const SCOPE_BITS = 8;
/** Above every index; lets one number order HIGH before others and new before old. */
const ABOVE_INDEX = 2 ** 50;

/** One bit for each code, followed by one for each detector that rules name; exact below 2^53. */
function bitsOf(rules: readonly CountRule[]) {
  const detectors = [...new Set(rules.flatMap((rule) => rule.detectors))];
  const bitIndexes = new Map([...VIOLATION_CODES, ...detectors].map((name, index) => [name, index]));
  if (bitIndexes.size > 53) throw new Error('too many codes and detectors for the bits of a number');
  const maskOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + 2 ** (bitIndexes.get(name) ?? Number.NaN), 0);
  return { detectors, maskOf };
}

/** Columns that say whether a detector matched. */
const FOUND_BY: ReadonlyMap<string, string> = new Map([['cvv', 'foundCvv']]);

/**
 * The row's codes and detectors as bits. Matches of a detector without its own column are only in the detail, which is
 * long and read only when a rule asks for it.
 */
const maskSql = (detectors: readonly string[]): string =>
  [
    CODES_AS_BITS,
    ...detectors.map((name, index) => {
      const isFound = FOUND_BY.get(name) ?? `position(detections, {detector${index}:String}) > 0`;
      return `if(${isFound}, toUInt64(${2 ** (VIOLATION_CODES.length + index)}), toUInt64(0))`;
    }),
  ].join(' + ');

/** Bit offsets in a group's key, after codes and detectors: scopes, then whether the sandbox redacts, then HIGH. */
const SCOPES_AT = 53;
const REDACTED_AT = SCOPES_AT + SCOPE_BITS;
const HIGH_AT = REDACTED_AT + 1;

/** Bits of each sandbox that is in a scope or redacts, and the bits for signals of all other sandboxes. */
function sandboxBits({ scopes, protecting }: CountPlan) {
  if (scopes.length > SCOPE_BITS) throw new Error('too many scopes for the bits of a byte');
  const all = scopes.reduce((sum, ids, index) => sum + (ids === null ? 2 ** index : 0), 0);
  const bits = new Map<string, number>();
  const add = (id: string, bit: number) => bits.set(id, (bits.get(id) ?? all) + bit);
  for (const [index, ids] of scopes.entries()) for (const id of ids ?? []) add(id, 2 ** index);
  for (const id of protecting) add(id, 2 ** SCOPE_BITS);
  return { all, sandboxes: [...bits.keys()], bits: [...bits.values()] };
}

const BITS_OF_SANDBOX = 'transform(sandbox, {sandboxes:Array(String)}, {bits:Array(UInt16)}, {all:UInt16})';

/**
 * Excludes erased rows, which are blank, without a risk level. Groups signals that are equal in everything counted, and
 * compares only groups with rules, so that rules cost little extra. The key is one number, because a key of several
 * columns, some of them text, costs about twice the CPU. Providers are a second grouping of the same read; `ofProvider`
 * marks its groups.
 */
function groupsSql(conditions: string, detectors: readonly string[], plan: CountPlan): string {
  const own = plan.scopes.every((ids) => ids === null) ? '{all:UInt16}' : BITS_OF_SANDBOX;
  const { columns, keys } = plan.withProviders
    ? {
        columns: `${own} AS own, provider AS providerName, grouping(bits) AS ofProvider`,
        keys: 'GROUPING SETS ((bits), (own, providerName))',
      }
    : { columns: "0 AS own, '' AS providerName, 0 AS ofProvider", keys: 'bits' };
  return `
  SELECT bitOr(bitOr(${maskSql(detectors)}, bitShiftLeft(toUInt64(${BITS_OF_SANDBOX}), ${SCOPES_AT})),
      bitShiftLeft(toUInt64(riskLevel IN ('HIGH', 'CRITICAL')), ${HIGH_AT})) AS bits, ${columns},
    count() AS n, countIf(${CODES_AS_BITS} != 0) AS nViolating, countIf(piiDetected) AS nPersonal,
    countIf(provider = '' OR model = '' OR region = '') AS nWithoutOrigin,
    countIf(createdAt >= {newerFrom:DateTime64(3, 'UTC')}) AS nNewer,
    countIf(createdAt >= {olderFrom:DateTime64(3, 'UTC')} AND createdAt < {newerFrom:DateTime64(3, 'UTC')}) AS nOlder,
    ${plan.withSamples ? NEWEST : 'emptyArrayUInt64()'} AS newest
  FROM signals FINAL WHERE ${conditions}
  GROUP BY ${keys}`;
}

const NEWEST = `groupArraySorted(${SAMPLES})(if(riskLevel IN ('HIGH', 'CRITICAL'), 0, ${ABOVE_INDEX}) + ${ABOVE_INDEX - 1} - \`index\`)`;

/** Every count to which a group contributes. */
const KEYS = `if(ofProvider = 1, arrayMap(scope -> ('provider', scope, toString(providerName)), scopesOf), arrayConcat(
  arrayMap(scope -> ('scope', scope, ''), scopesOf),
  arrayFlatten(arrayMap(scope -> arrayMap(code -> ('code', scope, code), codesOf), scopesOf)),
  arrayMap(rule -> ('rule', rule, ''), rulesOf),
  arrayFlatten(arrayMap(rule -> arrayMap(code -> ('ruleCode', rule, code), codesOf),
    arrayFilter(rule -> has({narrow:Array(UInt8)}, rule), rulesOf)))))`;

const LISTS = `
  bitAnd(bits, ${2 ** 53 - 1}) AS mask, bitTest(bits, ${REDACTED_AT}) AS isRedacted, bitTest(bits, ${HIGH_AT}) AS isHigh,
  if(ofProvider = 1, toUInt64(own), bitShiftRight(bits, ${SCOPES_AT})) AS scopeBits,
  arrayFilter(scope -> bitTest(scopeBits, scope), range({scopeCount:UInt8})) AS scopesOf,
  arrayFilter((code, bit) -> bitAnd(mask, bit) != 0, ${CODES}, ${BITS_OF_CODES}) AS codesOf,
  arrayFilter((rule, scope, codes, together, found, highOnly) -> bitTest(bits, ${SCOPES_AT} + scope)
      AND bitAnd(mask, codes) != 0 AND (together = 0 OR bitAnd(mask, together) != 0)
      AND (found = 0 OR bitAnd(mask, found) != 0) AND (highOnly = 0 OR isHigh),
    range({ruleCount:UInt8}), {ruleScopes:Array(UInt8)}, {ruleCodes:Array(UInt64)},
    {ruleTogether:Array(UInt64)}, {ruleFound:Array(UInt64)}, {ruleHighOnly:Array(UInt8)}) AS rulesOf`;

/** Whether a rule's counts per code differ from those of its scope. */
const isNarrow = ({ togetherWith, detectors, highOnly }: CountRule): boolean =>
  togetherWith.length > 0 || detectors.length > 0 || highOnly;

export const conditionsOf = (counted: CountedSignals): Condition => {
  const { sql, params } = allOf(OWNED_BY, counted.customerId, within('createdAt', counted));
  const below = "`index` < {below:UInt64} AND riskLevel != ''";
  return { sql: `${sql} AND ${below}`, params: { ...params, below: counted.below } };
};

/** All counts used to evaluate controls, in one pass over the signals. */
export async function countForControls(warehouse: Warehouse, plan: CountPlan): Promise<CountRow[]> {
  const { rules, scopes } = plan;
  const { detectors, maskOf } = bitsOf(rules);
  const { sql, params } = conditionsOf(plan);
  const found = detectors.map((name, index) => [`detector${index}`, `"detector":"${name}"`] as const);
  return warehouse.query<CountRow>(
    `WITH ${LISTS}
     SELECT key.1 AS part, key.2 AS number, key.3 AS name, sum(n) AS signals, sumIf(n, isHigh) AS high,
       sum(nViolating) AS violating, sum(nPersonal) AS personal,
       sumIf(nPersonal, isRedacted) AS redacted, sum(nWithoutOrigin) AS withoutOrigin,
       sum(nNewer) AS newer, sumIf(nNewer, isHigh) AS newerHigh, sum(nOlder) AS older, sumIf(nOlder, isHigh) AS olderHigh,
       arrayMap(place -> ${ABOVE_INDEX - 1} - place % ${ABOVE_INDEX},
         groupArraySortedArrayIf(${SAMPLES})(newest, part = 'rule')) AS samples
     FROM (${groupsSql(sql, detectors, plan)}) ARRAY JOIN ${KEYS} AS key
     GROUP BY part, number, name
     ORDER BY part, number, signals DESC, name LIMIT ${NAMES_OF_A_PART} BY part, number`,
    {
      ...params,
      ...sandboxBits(plan),
      ...Object.fromEntries(found),
      olderFrom: new Date(plan.olderFrom),
      newerFrom: new Date(plan.newerFrom),
      scopeCount: scopes.length,
      ruleCount: rules.length,
      ruleScopes: rules.map(({ scope }) => scope),
      ruleCodes: rules.map(({ codes }) => maskOf(codes)),
      ruleTogether: rules.map(({ togetherWith }) => maskOf(togetherWith)),
      ruleFound: rules.map((rule) => maskOf(rule.detectors)),
      ruleHighOnly: rules.map(({ highOnly }) => Number(highOnly)),
      narrow: rules.flatMap((rule, number) => (isNarrow(rule) ? [number] : [])),
    },
    LIMITS,
  );
}

/** The properties that decide whether a rule counts a signal. */
export interface MarkedSignal {
  readonly auditId: string;
  readonly sandboxId: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
  readonly detectors: readonly string[];
}

const IDS_AT_ONCE = 5_000;

/** Filters these signals to the counted ones. */
export async function markedSignals(
  warehouse: Warehouse,
  counted: CountedSignals,
  auditIds: readonly string[],
): Promise<MarkedSignal[]> {
  const { sql, params } = conditionsOf(counted);
  const marked: MarkedSignal[] = [];
  for (let first = 0; first < auditIds.length; first += IDS_AT_ONCE)
    marked.push(
      ...(await warehouse.query<MarkedSignal>(
        `SELECT auditId, sandboxId, riskLevel, violations,
           JSONExtract(detections, 'Array(Tuple(detector String))').detector AS detectors
         FROM signals FINAL WHERE ${sql} AND auditId IN {auditIds:Array(String)}
         SETTINGS use_skip_indexes_if_final = 1`,
        { ...params, auditIds: auditIds.slice(first, first + IDS_AT_ONCE) },
        LIMITS,
      )),
    );
  return marked;
}

/** Entry ids by ledger index; a signal's is its audit id. */
export async function entryIdsAt(
  warehouse: Warehouse,
  customerId: string,
  indexes: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (indexes.length === 0) return new Map();
  const rows = await warehouse.query<{ index: number; id: string }>(
    `SELECT DISTINCT \`index\`, id FROM ledger
     WHERE customerId = {customerId:String} AND \`index\` IN {indexes:Array(UInt64)}`,
    { customerId, indexes },
    LIMITS,
  );
  return new Map(rows.map(({ index, id }) => [index, id]));
}

/** A sandbox in its newest version within a given size of the ledger. */
export interface StoredSandbox {
  readonly sandboxId: string;
  readonly regulations: readonly string[];
  readonly guardianAction: string;
  readonly redactionStrategy: string;
  /** Active and not deleted. */
  readonly inUse: boolean;
}

/** Sandboxes according to the ledger's first `below` entries, including deleted ones, ordered by id. */
export const sandboxesBelow = (
  warehouse: Warehouse,
  customerId: string,
  below: number,
): Promise<StoredSandbox[]> =>
  warehouse.query<StoredSandbox>(
    `SELECT sandboxId, newest.1 AS regulations, newest.2 AS guardianAction, newest.3 AS redactionStrategy,
       newest.4 AND newest.5 IS NULL AS inUse
     FROM (
       SELECT JSONExtractString(core, 'sandboxId') AS sandboxId,
         argMax(JSONExtract(core, 'Tuple(regulations Array(String), guardianAction String, redactionStrategy String,
           active Bool, deletedAt Nullable(String))'), JSONExtractUInt(core, 'version')) AS newest
       FROM (
         SELECT assumeNotNull(core) AS core FROM entries
         WHERE customerId = {customerId:String} AND kind = 'POLICY_EVENT' AND startsWith(id, 'sandbox:')
           AND \`index\` < {below:UInt64} AND core IS NOT NULL
       )
       GROUP BY sandboxId
     )
     ORDER BY sandboxId`,
    { customerId, below },
    LIMITS,
  );
