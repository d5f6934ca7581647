import { createHash } from 'node:crypto';
import type { Receipt } from '#schemas/api/audits.ts';
import { ingestAudit } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from '../../command/client.ts';

export interface Ingested {
  readonly auditId: string;
  readonly receipt: Receipt;
}

const IN_FLIGHT = 8;
const ATTEMPTS = 8;

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One triplet, retried under the same Idempotency-Key while the service asks to retry later. */
async function ingestOne(client: Client, line: string, idempotencyKey: string): Promise<Ingested> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await client.call(ingestAudit, {
        body: JSON.parse(line),
        headers: {
          'idempotency-key': idempotencyKey,
        },
      });
      const data = answer.body.data as unknown as Ingested;
      return { auditId: data.auditId, receipt: data.receipt };
    } catch (error) {
      const again = error instanceof RequestFailed && [409, 429, 503].includes(error.statusCode ?? 0);
      if (!again || attempt === ATTEMPTS) throw error;
      await after(1_000 * Math.max(1, error.retryAfterSeconds ?? 1));
    }
  }
}

/**
 * Ingests every line, a few at a time; `onDone` is called after each. A run that is repeated with the same `runId`
 * finds the same audits.
 */
export async function ingestLines(
  client: Client,
  lines: readonly string[],
  runId: string,
  onDone: () => void,
): Promise<Ingested[]> {
  const ingested: Ingested[] = new Array(lines.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < lines.length; index = next++) {
      const line = lines[index] ?? '';
      const digest = createHash('sha256').update(line).digest('hex').slice(0, 16);
      ingested[index] = await ingestOne(client, line, `${runId}-${index}-${digest}`);
      onDone();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return ingested;
}
