import {
  createPackage,
  detectCorrelations,
  getCorrelation,
  getPackage,
  listCorrelations,
  listPackages,
} from '#schemas/endpoints.ts';
import { RequestFailed } from '../command/client.ts';
import { HISTORY_DAYS } from './history-slots.ts';
import { dataOf, waitFor } from './tour.ts';
import type { Workspace } from './workspace.ts';

interface Made {
  readonly id: string;
  readonly status: string;
}

const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Searches the history for patterns and returns their types. Null when a search already exists. */
export async function findPatterns({ client }: Workspace): Promise<readonly string[] | null> {
  const runs = await client.call(listCorrelations, { query: { source: 'RUN', limit: 1 } });
  if (dataOf<Made[]>(runs).length > 0) return null;
  const { id } = dataOf<Made>(await client.call(detectCorrelations, { body: {} }));
  return waitFor('the search for patterns', async () => {
    const { status, patterns } = dataOf<Made & { patterns: readonly { type: string }[] | null }>(
      await client.call(getCorrelation, { params: { id } }),
    );
    if (status === 'FAILED') throw new Error('the search for patterns failed');
    return patterns === null ? null : patterns.map(({ type }) => type);
  });
}

/** Makes one package with the history's evidence. Null when this service stores no packages. */
export async function packEvidence({ client }: Workspace): Promise<'MADE' | 'THERE' | null> {
  const listed = dataOf<Made[]>(await client.call(listPackages, { query: { limit: 100 } }));
  const known = listed.find(({ status }) => status === 'READY' || status === 'PENDING');
  const body = { framework: 'GDPR', startDate: dayBefore(HISTORY_DAYS), endDate: dayBefore(0) };
  try {
    const { id } = known ?? dataOf<Made>(await client.call(createPackage, { body }));
    await waitFor('the package', async () => {
      const { status } = dataOf<Made>(await client.call(getPackage, { params: { id } }));
      if (status === 'FAILED') throw new Error(`package ${id} failed`);
      return status === 'READY' ? status : null;
    });
    return known === undefined ? 'MADE' : 'THERE';
  } catch (error) {
    if (error instanceof RequestFailed && error.code === 'PACKAGES_OFF') return null;
    throw error;
  }
}
