import { type EntityType, RISK_LEVELS, type RiskLevel, type ViolationCode } from '#schemas/vocabulary.ts';
import type { Match } from '../find/match.ts';

/** The level of each code by itself. */
export const BASE_LEVELS: Readonly<Record<ViolationCode, RiskLevel>> = {
  PII_LEAK: 'LOW',
  EMAIL: 'LOW',
  SSN: 'MEDIUM',
  CREDIT_CARD: 'MEDIUM',
  PHONE: 'LOW',
  PASSPORT: 'MEDIUM',
  HEALTH_DATA: 'MEDIUM',
  FINANCIAL_DATA: 'MEDIUM',
  RACIAL_BIAS: 'MEDIUM',
  GENDER_BIAS: 'MEDIUM',
  AGE_BIAS: 'MEDIUM',
  DISABILITY_BIAS: 'MEDIUM',
  RELIGIOUS_BIAS: 'MEDIUM',
  INTERSECTIONAL_BIAS: 'MEDIUM',
  SYCOPHANCY: 'LOW',
  CODE_INJECTION: 'MEDIUM',
  SECRET_LEAK: 'HIGH',
  XSS: 'MEDIUM',
  CSRF: 'MEDIUM',
  SSRF: 'MEDIUM',
  DANGEROUS_INSTRUCTIONS: 'HIGH',
  PROMPT_INJECTION: 'HIGH',
  JAILBREAK_ATTEMPT: 'HIGH',
  SYSTEM_PROMPT_EXTRACTION: 'HIGH',
  GOAL_HIJACKING: 'MEDIUM',
  AGENT_LOOP: 'LOW',
  IRREVERSIBLE_ACTION: 'MEDIUM',
  SCOPE_CREEP: 'LOW',
  PRIVILEGE_ESCALATION: 'MEDIUM',
  FAKE_CITATION: 'LOW',
  INVENTED_STATISTIC: 'LOW',
  FALSE_CONFIDENCE: 'LOW',
  EXPERT_IMPERSONATION: 'LOW',
  VIOLENT_CONTENT: 'MEDIUM',
  SEXUAL_CONTENT: 'MEDIUM',
  CSAM: 'CRITICAL',
  HATE_SPEECH: 'MEDIUM',
  HARASSMENT: 'LOW',
  SELF_HARM_FACILITATION: 'MEDIUM',
  UNLICENSED_ADVICE: 'LOW',
  INSIDER_TRADING: 'LOW',
  MARKET_MANIPULATION: 'LOW',
  FRAUD: 'LOW',
  UNAUTHORIZED_LEGAL_ADVICE: 'LOW',
  COPYRIGHT: 'LOW',
  DEFAMATION: 'LOW',
  CUSTOM_RULE: 'MEDIUM',
};

/** Personal identifiers that weigh more than the names and addresses with which they share the code PII_LEAK. */
const ENTITY_LEVELS: Partial<Record<EntityType, RiskLevel>> = {
  DRIVER_LICENSE: 'MEDIUM',
  NATIONAL_ID: 'MEDIUM',
};

const PERSONAL_CODES: ReadonlySet<ViolationCode> = new Set([
  'PII_LEAK',
  'EMAIL',
  'SSN',
  'CREDIT_CARD',
  'PHONE',
  'PASSPORT',
  'HEALTH_DATA',
  'FINANCIAL_DATA',
]);

/** A match below this confidence is a hint: always LOW, and raises no level. CSAM is never a hint. */
const HINT_BELOW = 0.5;

type RaisedBecause = 'SEVERAL_KINDS' | 'IN_RESPONSE' | 'GIVEN_IN_RESPONSE';

export interface Rating {
  readonly level: RiskLevel;
  /** The code that determines the level; null if there are no matches. */
  readonly decidedBy: ViolationCode | null;
  /** Why that code weighs more here than by itself; null if it does not. */
  readonly raised: RaisedBecause | null;
}

/** The rank of a level, from 0 for LOW. */
export function rankOfLevel(level: RiskLevel): number {
  return RISK_LEVELS.indexOf(level);
}

/** The fields of a match that determine its weight. */
type Weighed = Pick<Match, 'code' | 'entity' | 'source' | 'confidence'>;

/** Too uncertain to weigh more than LOW, or to block a call. */
export function isHint(match: Pick<Weighed, 'code' | 'confidence'>): boolean {
  return match.confidence < HINT_BELOW && match.code !== 'CSAM';
}

function baseRank(match: Weighed): number {
  if (isHint(match)) return 0;
  const level = match.entity === null ? undefined : ENTITY_LEVELS[match.entity];
  return rankOfLevel(level ?? BASE_LEVELS[match.code]);
}

/** A name alone says little about a person: answers are full of authors, characters and historical figures. */
const WEIGHS_NOTHING_ALONE: EntityType = 'PERSON';

/**
 * Personal data in the response, or of several kinds, weighs one level more. Both together still add only one level.
 * Names count only next to other personal data.
 */
function whyPersonalDataWeighsMore(personal: readonly Weighed[]): RaisedBecause | null {
  if (personal.every(({ entity }) => entity === WEIGHS_NOTHING_ALONE)) return null;
  if (personal.some((match) => match.source === 'response')) return 'IN_RESPONSE';
  const kinds = new Set(personal.map((match) => match.entity ?? match.code));
  return kinds.size > 1 ? 'SEVERAL_KINDS' : null;
}

/** The highest risk level of the given matches, with the reason. */
export function rate(matches: readonly Weighed[]): Rating {
  const personalWeighsMore = whyPersonalDataWeighsMore(
    matches.filter((match) => PERSONAL_CODES.has(match.code) && !isHint(match)),
  );
  let best = { rank: 0, decidedBy: null as ViolationCode | null, raised: null as RaisedBecause | null };
  for (const match of matches) {
    const raised = raisedBecause(match, personalWeighsMore);
    const rank = Math.min(baseRank(match) + (raised === null ? 0 : 1), RISK_LEVELS.length - 1);
    if (best.decidedBy === null || rank > best.rank) best = { rank, decidedBy: match.code, raised };
  }
  return { level: RISK_LEVELS[best.rank]!, decidedBy: best.decidedBy, raised: best.raised };
}

function raisedBecause(match: Weighed, personal: RaisedBecause | null): RaisedBecause | null {
  if (isHint(match)) return null;
  if (PERSONAL_CODES.has(match.code)) return personal;
  const given = match.code === 'DANGEROUS_INSTRUCTIONS' && match.source === 'response';
  return given ? 'GIVEN_IN_RESPONSE' : null;
}
