import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/**
 * Files that take longest, the longest first: started last, one of them would keep one worker busy when all others are
 * done.
 */
const LONGEST = [
  'test/e2e/erase-customer.test.ts',
  'test/e2e/dead-letters.test.ts',
  'test/e2e/storage.test.ts',
  'services/sink/long-history.warehouse.test.ts',
  'test/canary/canary.test.ts',
  'test/e2e/spine.test.ts',
  'test/interface/isolation.test.ts',
  'services/sink/jobs/erase-customers.test.ts',
  'platform/state/lmdb/state.contract.test.ts',
  'services/api/routes/dashboard/reconciliation.test.ts',
  'services/api/use-cases/export/large.test.ts',
  'test/e2e/partitions.test.ts',
  'services/api/routes/evidence/erasures.test.ts',
  'services/api/use-cases/evidence/tree/proofs.test.ts',
  'test/e2e/cas-ingest.test.ts',
  'test/e2e/cas-export.test.ts',
  'platform/warehouse/embedded/warehouse.contract.test.ts',
  'test/e2e/admin-listener.test.ts',
  'services/api/jobs/retention-steps.warehouse.test.ts',
  'services/api/routes/evidence/attestations.test.ts',
  'test/e2e/detection.test.ts',
  'test/e2e/accounts.test.ts',
  'test/e2e/start.test.ts',
  'platform/event-log/lmdb/budget.contract.test.ts',
  'services/api/open-paths.test.ts',
  'core/detect/growth.test.ts',
  'services/api/bodies.test.ts',
  'test/e2e/judge.test.ts',
];
const root = fileURLToPath(new URL('../', import.meta.url));
const paths = LONGEST.map((file) => `${root}${file}`);
const gone = LONGEST.filter((_, n) => !existsSync(paths[n]));
if (gone.length > 0)
  throw new Error(`test/longest-first.mjs names files that are not there: ${gone.join(', ')}`);

/**
 * A fresh clone has no times of an earlier run, and jest would then begin with the largest files, which are not the
 * slowest: most of the slow ones' time goes into services that they start.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => (paths.includes(path) ? paths.indexOf(path) : paths.length);
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
