import { listSignals } from '#schemas/endpoints.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import type { Client } from '../../command/client.ts';
import { print, printTable } from '../../command/output.ts';

export interface SignalLine {
  readonly auditId: string;
  readonly sandboxSlug: string;
  readonly riskLevel: string;
  readonly violations: readonly string[];
}

interface Page {
  readonly data: readonly SignalLine[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

export async function countSignals(client: Client): Promise<number> {
  const answer = await client.call(listSignals, { query: { limit: 1 } });
  return (answer.body as unknown as Page).pagination.total;
}

export async function readAllSignals(client: Client): Promise<SignalLine[]> {
  const signals: SignalLine[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: 100, cursor: cursor ?? undefined };
    const page: Page = (await client.call(listSignals, { query })).body as unknown as Page;
    signals.push(...page.data);
    cursor = page.pagination.nextCursor;
  } while (cursor !== null);
  return signals;
}

const countBy = (words: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
};

const TOP_VIOLATIONS = 10;

export function printSignals(signals: readonly SignalLine[]): void {
  const bySandbox = [...countBy(signals.map((signal) => signal.sandboxSlug)).keys()].sort();
  print('\nSignals per sandbox and risk level');
  printTable(
    ['sandbox', ...RISK_LEVELS, 'all'],
    [...bySandbox, 'all'].map((slug) => {
      const mine = signals.filter((signal) => slug === 'all' || signal.sandboxSlug === slug);
      const levels = countBy(mine.map((signal) => signal.riskLevel));
      return [slug, ...RISK_LEVELS.map((level) => levels.get(level) ?? 0), mine.length];
    }),
  );
  print('\nTop violations');
  const violations = [...countBy(signals.flatMap((signal) => signal.violations))];
  printTable(
    ['code', 'signals'],
    violations.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TOP_VIOLATIONS),
  );
}
