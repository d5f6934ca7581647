import type { Client } from '../../cli/command/client.ts';

const DAY_MS = 86_400_000;

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Kinds of reads, each with a function for the path of its next request. `to`: end of the stored year, Unix ms. */
export async function readPaths(
  client: Client,
  { to, audits }: { readonly to: number; readonly audits: number },
): Promise<Map<string, () => string>> {
  const period = (days: number): string => `from=${dateOf(to - days * DAY_MS)}&to=${dateOf(to - DAY_MS)}`;
  const page = Math.max(1, Math.min(1_000, Math.floor(audits / 200)));
  const deepest = await client.request('GET', `/dashboard/signals?page=${page}&limit=100`);
  const { pagination, signals } = deepest.body as unknown as {
    pagination: { nextCursor: string };
    signals: { id: string }[];
  };
  const lists: Record<string, string> = {
    'first page': '',
    'first page of 100': 'limit=100',
    riskLevel: 'riskLevel=CRITICAL',
    sandboxSlug: 'sandboxSlug=sandbox-3',
    provider: 'provider=gemini',
    model: 'model=gpt-4o',
    violation: 'violation=EMAIL',
    'rarest violation': 'violation=CUSTOM_RULE',
    'from and to': period(90),
    'all filters': `riskLevel=HIGH&sandboxSlug=sandbox-3&provider=gemini&violation=EMAIL&${period(180)}`,
    [`page ${page} of 100`]: `page=${page}&limit=100`,
    [`cursor after ${(page * 100).toLocaleString('en')}`]: `limit=100&cursor=${pagination.nextCursor}`,
  };
  const fixed: Record<string, string> = {
    'stats, all time': '/dashboard/stats',
    'stats, a month': `/dashboard/stats?${period(30)}`,
    'stats, a sandbox': '/dashboard/stats?sandboxSlug=sandbox-3',
    ...Object.fromEntries(
      Object.entries(lists).map(([name, query]) => [`list, ${name}`, `/dashboard/signals?${query}`]),
    ),
    'timeseries, a year by day': `/dashboard/timeseries?interval=day&${period(365)}`,
    'timeseries, 60 days by hour': `/dashboard/timeseries?interval=hour&${period(60)}`,
    'timeseries, a day by minute': `/dashboard/timeseries?interval=minute&${period(1)}`,
    reconciliation: '/dashboard/books',
    'audits, first page of 100': '/audits?limit=100',
    'audits, FAILED': '/audits?status=FAILED&limit=100',
    'dead letters': '/dead-letters?limit=100',
    'reasons of dead letters': '/dead-letters/reasons',
    'incidents, open': '/evidence/incidents?status=OPEN&limit=100',
    findings: '/evidence/correlations?limit=100',
    'coverage of frameworks': '/evidence/attestations/coverage',
    'attestations of all frameworks': '/evidence/attestations',
    'plan and usage': '/usage',
  };
  let next = 0;
  return new Map([
    ...Object.entries(fixed).map(([name, path]) => [name, () => path] as const),
    ['one signal', () => `/dashboard/signals/${signals[next++ % signals.length]?.id}`] as const,
  ]);
}
