import { RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import type { Warehouse } from '../../../port.ts';
import { BITS_OF_CODES, CODES, CODES_AS_BITS } from '../../code-bits.ts';
import { allOf, OWNED_BY, within } from '../../owned-by.ts';
import { REQUEST_SECONDS } from '../../select-list.ts';

const LIMITS = { maxExecutionSeconds: REQUEST_SECONDS } as const;

/** Signals that a rule counts: those with the code, at the level or above, since the start of its window. */
interface PolicyCountRule {
  /** null: any. */
  readonly code: string | null;
  readonly minRiskLevel: string;
  /** Unix ms; the window ends with the period. */
  readonly since: number;
}

export interface PolicyCountPlan {
  readonly customerId: string;
  /** Only signals below this index of the ledger. */
  readonly below: number;
  /** null: of all sandboxes. */
  readonly sandboxIds: readonly string[] | null;
  /** Start of the period, Unix ms, inclusive; undefined: from the first signal. */
  readonly from: number | undefined;
  readonly to: number;
  /** At most 64. */
  readonly rules: readonly PolicyCountRule[];
}

/** One count: of all signals of the period, of those with a code, or of a rule. */
export interface PolicyCountRow {
  readonly part: 'all' | 'code' | 'rule';
  /** Index of the rule. */
  readonly number: number;
  /** The code. */
  readonly name: string;
  readonly signals: number;
  /** Signals that no rule counts, whatever their age. */
  readonly passing: number;
  /** For a rule: ledger indexes of the ten newest signals. */
  readonly samples: readonly number[];
}

const SAMPLES = 10;
/** Above every index; puts the newest first. */
const ABOVE_INDEX = 2 ** 50;
const MAX_RULES = 64;

/**
 * Bit offsets in a group's key: one bit for each code, one for any, two for the level, seven for the age, one for the
 * period.
 */
const ANY_AT = VIOLATION_CODES.length;
const LEVEL_AT = ANY_AT + 1;
const AGE_AT = LEVEL_AT + 2;
const PERIOD_AT = AGE_AT + 7;

const LEVELS = `transform(riskLevel, [${RISK_LEVELS.map((level) => `'${level}'`).join(', ')}], [0, 1, 2, 3], 0)`;

/** Groups signals that are equal in everything rules consider; only groups are compared with rules. */
const groupsSql = (conditions: string, inPeriod: string): string => `
  SELECT bitOr(bitOr(${CODES_AS_BITS}, bitShiftLeft(toUInt64(notEmpty(violations)), ${ANY_AT})),
      bitOr(bitShiftLeft(toUInt64(${LEVELS}), ${LEVEL_AT}),
        bitOr(bitShiftLeft(toUInt64(arrayCount(since -> toUnixTimestamp64Milli(createdAt) >= since, {windows:Array(Int64)})), ${AGE_AT}),
          bitShiftLeft(toUInt64(${inPeriod}), ${PERIOD_AT})))) AS bits,
    count() AS n, groupArraySorted(${SAMPLES})(${ABOVE_INDEX} - \`index\`) AS newest
  FROM signals FINAL WHERE ${conditions}
  GROUP BY bits`;

const LISTS = `
  bitTest(bits, ${PERIOD_AT}) AS isInPeriod,
  bitAnd(bitShiftRight(bits, ${LEVEL_AT}), 3) AS level, bitAnd(bitShiftRight(bits, ${AGE_AT}), 127) AS age,
  arrayFilter((rule, codes, least) -> bitAnd(bits, codes) != 0 AND level >= least,
    range({ruleCount:UInt8}), {ruleCodes:Array(UInt64)}, {ruleLevels:Array(UInt8)}) AS fitting,
  arrayFilter(rule -> age >= arrayElement({ruleAges:Array(UInt8)}, rule + 1), fitting) AS counting,
  arrayFilter((code, bit) -> bitAnd(bits, bit) != 0, ${CODES}, ${BITS_OF_CODES}) AS codesOf`;

const KEYS = `arrayConcat(
  if(isInPeriod, [('all', 0, '')], []),
  if(isInPeriod, arrayMap(code -> ('code', 0, code), codesOf), []),
  arrayMap(rule -> ('rule', rule, ''), counting))`;

/**
 * All counts of a policy's report, in one pass over the signals. Excludes erased rows, which are blank, without a risk
 * level.
 */
export async function countForPolicy(warehouse: Warehouse, plan: PolicyCountPlan): Promise<PolicyCountRow[]> {
  const { customerId, below, sandboxIds, from, to, rules } = plan;
  if (rules.length > MAX_RULES) throw new Error('too many rules for the bits of a number');
  // Ascending: a signal inside a window is also inside all wider ones, and its age is the number of windows that
  // contain it.
  const windows = [...new Set(rules.map(({ since }) => since))].sort((a, b) => a - b);
  const earliest = from === undefined ? undefined : Math.min(from, ...windows);
  const { sql, params } = allOf(OWNED_BY, customerId, [
    ['below', '`index` < {below:UInt64}', below],
    ['sandboxIds', 'sandboxId IN {sandboxIds:Array(String)}', sandboxIds ?? undefined],
    ...within('createdAt', { from: earliest, to }),
  ]);
  const inPeriod = from === undefined ? '1' : "createdAt >= {periodFrom:DateTime64(3, 'UTC')}";
  return warehouse.query<PolicyCountRow>(
    `WITH ${LISTS}
     SELECT key.1 AS part, key.2 AS number, key.3 AS name, sum(n) AS signals, sumIf(n, empty(fitting)) AS passing,
       arrayMap(place -> ${ABOVE_INDEX} - place, groupArraySortedArrayIf(${SAMPLES})(newest, part = 'rule')) AS samples
     FROM (${groupsSql(`${sql} AND riskLevel != ''`, inPeriod)}) ARRAY JOIN ${KEYS} AS key
     GROUP BY part, number, name ORDER BY part, number, signals DESC, name`,
    {
      ...params,
      ...(from === undefined ? {} : { periodFrom: new Date(from) }),
      windows,
      ruleCount: rules.length,
      ruleCodes: rules.map(({ code }) =>
        code === null ? 2 ** ANY_AT : 2 ** VIOLATION_CODES.indexOf(code as (typeof VIOLATION_CODES)[number]),
      ),
      ruleLevels: rules.map(({ minRiskLevel }) =>
        RISK_LEVELS.indexOf(minRiskLevel as (typeof RISK_LEVELS)[number]),
      ),
      ruleAges: rules.map(({ since }) => windows.indexOf(since) + 1),
    },
    LIMITS,
  );
}
