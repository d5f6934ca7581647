import type { StoredRecord } from '#platform/event-log/port.ts';
import { failedRecord, type RetryRoute } from '#platform/stream/failure/retry-route.ts';
import { AUDITS, type AuditRow } from '#schemas/tables/tables.ts';
import { DEAD_LETTERS, RETRY_1, RETRY_2, TRIPLETS } from '#schemas/topics.ts';
import type { FailureCode } from '#schemas/vocabulary.ts';
import { auditRow, completedRow } from '#services/sink/rows/audit-rows.ts';
import { signalCore } from '#services/sink/testing/sample-log.ts';
import type { Harness, TestCustomer } from './harness.ts';
import type { RealWarehouse } from './real-warehouse.ts';

/** The epoch of the rows in tests. */
export const EPOCH = 1;

const ROUTE: RetryRoute = {
  retries: [RETRY_1, RETRY_2].map(({ name }) => ({ topic: name, delayMs: 1 })),
  deadLetters: DEAD_LETTERS.name,
};

/** What analyzer and sink make of audits, for tests of the API alone. */
export function failingPipeline(harness: Harness, real: RealWarehouse) {
  const lastOf = (topic: string, auditId: string): StoredRecord => {
    const found = harness.log.of(topic).findLast((record) => record.key === auditId);
    if (found === undefined) throw new Error(`no record of ${auditId} in ${topic}`);
    return found;
  };
  const rowOf = (record: StoredRecord): AuditRow => {
    const row = auditRow(record, EPOCH);
    if (row === null) throw new Error('the headers of a record are not readable');
    return row;
  };
  /** Stores the row of the audit's newest record of a topic, as the sink does. */
  const list = async (topic: string, auditId: string): Promise<AuditRow> => {
    const row = rowOf(lastOf(topic, auditId));
    await real.insert(AUDITS, [row]);
    return row;
  };
  return {
    sandbox: (headers: TestCustomer['headers'], slug: string) =>
      harness.call({
        method: 'POST',
        url: '/sandboxes',
        headers,
        payload: { name: slug, slug, sandboxType: 'FULL_SPECTRUM' },
      }),
    /** Ids of newly accepted audits. */
    ingest: async (
      headers: TestCustomer['headers'],
      count: number,
      sandboxSlug: string,
    ): Promise<string[]> => {
      const payload = { sandboxSlug, provider: 'openai', model: 'gpt-4o', prompt: 'Hello', response: 'Hi' };
      const answers = await Promise.all(
        Array.from({ length: count }, () =>
          harness.call({ method: 'POST', url: '/audit/ingest', headers, payload }),
        ),
      );
      return answers.map(({ body }) => body.auditId as string);
    },
    list,
    /** The row of a signal of the audit. */
    completed: (row: AuditRow, generation: number): AuditRow => {
      const { auditId, customerId, acceptedAt, sandboxId } = row;
      const core = signalCore(1, { auditId, acceptedAt, sandboxId, createdAt: acceptedAt });
      const about = { auditId, customerId, acceptedAt };
      const headers = { ...about, attempt: '5', generation: String(generation), steps: '[]' };
      return completedRow(customerId, headers, core, { epoch: EPOCH, partition: 1, offset: 5 });
    },
    /** Dead-letters the newest triplets, and lists them as FAILED. */
    fail: async (
      auditIds: readonly string[],
      change: { readonly code?: FailureCode; readonly at?: number } = {},
    ): Promise<AuditRow[]> => {
      const failure = {
        code: change.code ?? 'ANALYSIS_FAILED',
        stage: 'detect',
        errorClass: 'Error',
      } as const;
      const now = change.at ?? harness.dependencies.now();
      const times = { now, startedAt: now };
      await harness.log.append(
        auditIds.map((id) => failedRecord(ROUTE, lastOf(TRIPLETS.name, id), failure, true, times)),
      );
      const rows = auditIds.map((id) => rowOf({ ...lastOf(DEAD_LETTERS.name, id), timestamp: now }));
      await real.insert(AUDITS, rows);
      return rows;
    },
  };
}
