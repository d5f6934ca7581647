import type { Framework } from '#schemas/vocabulary.ts';

/**
 * Minimum days for which a framework requires signals to be kept, if any: HIPAA six years (45 CFR 164.316(b)(2)(i)),
 * EU_AI_ACT six months (articles 19(1) and 26(6)), PCI_DSS twelve months (10.5.1). CCPA's two years concern records of
 * requests, which the ledger keeps permanently. Kept as data, because dates and article numbers change.
 */
const FLOOR_DAYS: Readonly<Partial<Record<Framework, number>>> = {
  HIPAA: 2_190,
  EU_AI_ACT: 183,
  PCI_DSS: 365,
};

/** 0: the framework requires none. */
export const floorDays = (framework: Framework | null): number =>
  framework === null ? 0 : (FLOOR_DAYS[framework] ?? 0);
