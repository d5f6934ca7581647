import type { Framework } from '#schemas/vocabulary.ts';

/**
 * The least days that signals of a framework are kept, where it names any: HIPAA six years (45 CFR 164.316(b)(2)(i)),
 * EU_AI_ACT six months (articles 19(1) and 26(6)), PCI_DSS twelve months (10.5.1). CCPA's two years are for records of
 * requests, which the ledger keeps for good. Data, because dates and numbers of articles change.
 */
const FLOOR_DAYS: Readonly<Partial<Record<Framework, number>>> = {
  HIPAA: 2_190,
  EU_AI_ACT: 183,
  PCI_DSS: 365,
};

/** 0: the framework names none. */
export const floorDays = (framework: Framework | null): number =>
  framework === null ? 0 : (FLOOR_DAYS[framework] ?? 0);
