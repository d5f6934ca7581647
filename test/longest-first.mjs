import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sequencer from '@jest/test-sequencer';

/**
 * The slowest files, slowest first: started last, one of them would keep a single worker busy after all others are
 * done.
 */
const LONGEST = [
  'test/failures/kill/evidence.test.ts',
  'test/failures/kill/audits.test.ts',
  'test/failures/deliveries.test.ts',
  'test/failures/distributed.test.ts',
  'test/failures/server-restores.test.ts',
  'test/failures/restores.test.ts',
  'test/failures/kill/patterns.test.ts',
  'platform/event-log/kafka/failures.real.test.ts',
  'platform/event-log/kafka/cluster-failures.real.test.ts',
  'test/failures/outages.test.ts',
  'test/failures/swapped-stores.test.ts',
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
  'services/api/evidence/retention/returned-content.warehouse.test.ts',
  'services/api/evidence/proofs/proofs.warehouse.test.ts',
  'services/api/evidence/chain/pass.warehouse.test.ts',
  'services/api/evidence/retention/erasures.warehouse.test.ts',
  'services/api/signals/statistics/reconciliation.warehouse.test.ts',
  'services/api/date-ranges.warehouse.test.ts',
  'services/api/evidence/packages/packages.warehouse.test.ts',
  'services/api/evidence/packages/package-rounds.warehouse.test.ts',
  'services/api/signals/stream/stream.test.ts',
  'services/api/evidence/chain/damage.warehouse.test.ts',
  'services/api/evidence/retention/retention-steps.warehouse.test.ts',
  'services/api/evidence/chain/verifications.warehouse.test.ts',
  'services/api/evidence/chain/changed-documents.warehouse.test.ts',
  'services/sink/jobs/erase-customers.warehouse.test.ts',
  'services/api/signals/signals.property.test.ts',
  'services/api/evidence/chain/checkpoint-steps.warehouse.test.ts',
  'services/api/signals/export/as-of.warehouse.test.ts',
  'services/api/evidence/chain/passes-in-thread.warehouse.test.ts',
  'services/api/signals/export/large.warehouse.test.ts',
  'core/detect/growth.test.ts',
  'services/api/signals/statistics/statistics.warehouse.test.ts',
  'services/api/evidence/policies/policies.warehouse.test.ts',
  'services/api/evidence/chain/scrub-ledgers.warehouse.test.ts',
  'services/api/signals/statistics/reconciliation-erasure.warehouse.test.ts',
  'services/api/evidence/correlations/correlations.warehouse.test.ts',
  'services/api/evidence/attestations/attestations.warehouse.test.ts',
  'services/api/ingest/internal/internal-signal.warehouse.test.ts',
  'services/api/evidence/chain/derived-rows.warehouse.test.ts',
  'services/api/signals/export/formats.warehouse.test.ts',
  'services/api/dead-letters/replay.warehouse.test.ts',
  'services/sink/sink.warehouse.test.ts',
  'services/api/evidence/correlations/findings.warehouse.test.ts',
  'services/correlator/patterns/pipeline.property.test.ts',
  'platform/warehouse/embedded/process.test.ts',
  'services/api/cursors.property.test.ts',
  'services/api/evidence/incidents/incidents.warehouse.test.ts',
];
const root = fileURLToPath(new URL('../', import.meta.url));
const paths = LONGEST.map((file) => `${root}${file}`);
const gone = LONGEST.filter((_, n) => !existsSync(paths[n]));
if (gone.length > 0)
  throw new Error(`test/longest-first.mjs names files that are not there: ${gone.join(', ')}`);

/**
 * A fresh clone has no times of an earlier run, and jest would start with the largest files. Those are not the slowest:
 * most slow tests spend their time in services that they start.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const place = ({ path }) => (paths.includes(path) ? paths.indexOf(path) : paths.length);
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
