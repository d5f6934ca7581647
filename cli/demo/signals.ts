import { listSignals } from '#schemas/endpoints.ts';
import type { Client } from '../command/client.ts';

export interface SignalLine {
  readonly auditId: string;
  readonly sandboxSlug: string;
  readonly provider: string;
  readonly model: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
  readonly piiDetected: boolean;
  readonly confidence: number;
  readonly reasoning: string;
  readonly promptTokens: number | null;
  readonly outputTokens: number | null;
  readonly hasThinkingBlock: boolean;
  readonly durationMs: number;
  readonly createdAt: string;
}

interface Page {
  readonly data: readonly SignalLine[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

export async function countSignals(client: Client): Promise<number> {
  const answer = await client.call(listSignals, { query: { limit: 1, rows: 'once' } });
  return (answer.body as unknown as Page).pagination.total;
}

export async function readAllSignals(client: Client): Promise<SignalLine[]> {
  const signals: SignalLine[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 100, cursor: cursor ?? undefined, rows: 'once' };
    const page: Page = (await client.call(listSignals, { query })).body as unknown as Page;
    signals.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  return signals;
}
