import type { LedgerPasses } from './evidence/chain/pass.ts';
import type { PatternSearch } from './evidence/correlations/find-patterns.ts';
import type { BodyBudget } from './http/bodies/body-budget.ts';
import type { ApiDependencies } from './operations/dependencies.ts';
import type { UiFiles } from './ui/ui-files.ts';

/** Dependencies of the server in addition to those of its operations. */
export interface AppDependencies extends ApiDependencies {
  /** One per process, shared by all its listeners. */
  readonly bodyBudget: BodyBudget;
  /** Where ledgers are verified; without it, on the event loop. */
  readonly passes?: LedgerPasses;
  /** Where patterns are searched for; without it, on the event loop. */
  readonly patternSearch?: PatternSearch;
  /** The built dashboard; without it its paths answer 404. */
  readonly ui?: UiFiles;
}
