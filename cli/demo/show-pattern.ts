import { ingestAudit, listCorrelations } from '#schemas/endpoints.ts';
import { attackTriplets } from './attacks.ts';
import { addEntries, dataOf, heading, note, type Tour, waitFor } from './tour.ts';

interface Pattern {
  readonly type: string;
  readonly signalIds: readonly string[];
  readonly description: string;
}

/** Sends near-duplicates of one attack, which become one finding as they arrive. */
export async function findPattern(tour: Tour): Promise<void> {
  const attacks = attackTriplets();
  heading(`8. Pattern: ${attacks.length} variants of one attack, in two sandboxes`);
  const { client, check } = tour;
  const sent = new Set<string>();
  for (const body of attacks) sent.add(String((await client.call(ingestAudit, { body })).body.auditId));
  addEntries(tour, 'SIGNAL', sent.size);
  const campaign = await waitFor('the campaign', async () => {
    const answer = await client.call(listCorrelations, { query: { source: 'STREAM', type: 'CAMPAIGN' } });
    const patterns = dataOf<{ patterns: readonly Pattern[] }[]>(answer).flatMap(
      (finding) => finding.patterns,
    );
    return patterns.find(({ signalIds }) => [...sent].every((id) => signalIds.includes(id))) ?? null;
  });
  note(campaign.description);
  check(
    `one campaign of ${campaign.signalIds.length} signals: the attacks and no other`,
    campaign.signalIds.length === sent.size,
  );
}
