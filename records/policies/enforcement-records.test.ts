import { expect, test } from '#jest';
import { memoryState } from '#platform/stream/testing/memory-state.ts';
import { incidentOfRule, ruleIncidentWrite } from './enforcement-records.ts';

test('the incidents of a limited number of rules are kept, the last ones recorded', async () => {
  const { documents } = memoryState();
  const rule = (n: number) => ({ policyId: 'p', digest: `digest-${n}` });
  const note = async (n: number, incidentId: string): Promise<void> => {
    await documents.write('c', [await ruleIncidentWrite(documents, 'c', rule(n), incidentId)]);
  };
  for (let n = 0; n < 256; n += 1) await note(n, `incident-${n}`);
  await note(0, 'another');
  await note(256, 'incident-256');
  const known = await Promise.all([0, 1, 2, 256].map((n) => incidentOfRule(documents, 'c', rule(n))));
  expect(known).toEqual(['another', null, 'incident-2', 'incident-256']);
  expect(await incidentOfRule(documents, 'c', { policyId: 'q', digest: 'digest-2' })).toBeNull();
});
