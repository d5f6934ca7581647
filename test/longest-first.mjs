import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/**
 * Files that take longest, the longest first: started last, one of them would keep one worker busy when all others are
 * done.
 */
const LONGEST = [
  'test/interface/schemathesis/schemathesis.test.ts',
  'test/interface/isolation.test.ts',
  'test/e2e/erase-customer.test.ts',
  'test/e2e/dead-letters.test.ts',
  'test/e2e/storage.test.ts',
  'test/canary/canary.test.ts',
  'test/e2e/long-texts.test.ts',
  'test/e2e/partitions.test.ts',
  'test/e2e/findings.test.ts',
  'test/e2e/start.test.ts',
  'test/e2e/spine.test.ts',
  'test/e2e/cas-ingest.test.ts',
  'test/e2e/cas-export.test.ts',
  'test/e2e/admin-listener.test.ts',
  'test/e2e/stream.test.ts',
  'test/e2e/incidents.test.ts',
  'services/api/routes/evidence/returned-content.test.ts',
  'services/api/use-cases/evidence/tree/proofs.test.ts',
  'services/api/use-cases/evidence/verify/pass.test.ts',
  'services/api/routes/evidence/erasures.test.ts',
  'services/api/routes/dashboard/reconciliation.test.ts',
  'services/api/date-ranges.test.ts',
  'services/api/routes/evidence/packages.test.ts',
  'services/api/jobs/package-rounds.test.ts',
  'services/api/routes/dashboard/stream.test.ts',
  'services/api/routes/evidence/damage.test.ts',
  'services/api/jobs/retention-steps.warehouse.test.ts',
  'services/api/routes/evidence/verifications.test.ts',
  'services/api/routes/evidence/changed-documents.test.ts',
  'services/sink/jobs/erase-customers.test.ts',
  'services/api/routes/dashboard/dashboard.property.test.ts',
  'services/api/use-cases/evidence/tree/checkpoint-steps.test.ts',
  'services/api/use-cases/export/as-of.test.ts',
  'services/api/use-cases/evidence/verify/passes-in-thread.test.ts',
  'services/api/use-cases/export/large.test.ts',
  'core/detect/growth.test.ts',
  'services/api/routes/dashboard/statistics.test.ts',
  'services/api/routes/evidence/policies.test.ts',
  'services/api/jobs/scrub-ledgers.test.ts',
  'services/api/routes/dashboard/reconciliation-erasure.test.ts',
  'services/api/routes/evidence/correlations.test.ts',
  'services/api/routes/evidence/attestations.test.ts',
  'services/api/routes/internal/signal.test.ts',
  'services/api/use-cases/evidence/verify/derived-rows.warehouse.test.ts',
  'services/api/use-cases/export/formats.test.ts',
  'services/api/routes/dead-letters/replay.test.ts',
  'services/sink/sink.warehouse.test.ts',
  'services/api/routes/evidence/findings.test.ts',
  'services/correlator/patterns/pipeline.property.test.ts',
  'platform/warehouse/embedded/process.test.ts',
  'services/api/cursors.property.test.ts',
  'services/api/routes/evidence/incidents.test.ts',
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
