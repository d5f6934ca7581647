import { createIncident, getIncident, moveIncident } from '#schemas/endpoints.ts';
import type { RequestFailed } from '../command/client.ts';
import type { SignalLine } from './signals.ts';
import { addEntries, dataOf, heading, type Tour, waitFor } from './tour.ts';

const ALICE = { userId: 'alice', userRole: 'COMPLIANCE_OFFICER' };
const BOB = { userId: 'bob', userRole: 'DPO' };
const RESOLUTION = 'The prompt template no longer carries customer data';

interface Change {
  readonly to: string;
  readonly leafIndex: number | null;
}

/** Takes an incident on a HIGH signal from OPEN to CLOSED. */
export async function settleIncident(tour: Tour, signals: readonly SignalLine[]): Promise<void> {
  heading('5. Incident: it takes two people');
  const { client, check } = tour;
  const signalId = signals.find(({ riskLevel }) => riskLevel === 'HIGH')?.auditId;
  const {
    id = '',
    status,
    severity,
  } = dataOf<Record<string, string>>(
    await client.call(createIncident, { body: { signalId, title: 'Customer data in a prompt' } }),
  );
  check(`incident ${id} is ${status}, severity ${severity}`, status === 'OPEN');
  const move = (to: string, by: object) =>
    client.call(moveIncident, { params: { id }, body: { status: to, ...by } });
  await move('INVESTIGATING', ALICE);
  await move('RESOLVED', { ...ALICE, resolution: RESOLUTION });
  const refused = await move('VERIFIED', ALICE).then(
    () => 'accepted',
    (error: RequestFailed) => error.code,
  );
  check(`alice resolves it and may not verify her own work: ${refused}`, refused === 'SEGREGATION_OF_DUTIES');
  await move('VERIFIED', BOB);
  await move('CLOSED', BOB);
  addEntries(tour, 'INCIDENT_EVENT', 5);
  const history = await waitFor('the ledger indexes of the changes', async () => {
    const { history: changes } = dataOf<{ history: readonly Change[] }>(
      await client.call(getIncident, { params: { id } }),
    );
    return changes.every(({ leafIndex }) => leafIndex !== null) ? changes : null;
  });
  check(
    `bob verifies and closes it; on the ledger: ${history.map(({ to, leafIndex }) => `${to} ${leafIndex}`).join(', ')}`,
    history.map(({ to }) => to).join() === 'OPEN,INVESTIGATING,RESOLVED,VERIFIED,CLOSED',
  );
}
