import { createIncident, getIncident, moveIncident } from '#schemas/endpoints.ts';
import { type Desk, dataOf, heading, refusalOf, untilThere } from '../steps/desk.ts';

/** In a role that may verify, just not what she did herself. */
const ALICE = { userId: 'alice', userRole: 'COMPLIANCE_OFFICER' };
const BOB = { userId: 'bob', userRole: 'DPO' };
/** What she tries nevertheless. */
const HER_ATTEMPTS = [
  ['alice may not verify her own work', ALICE],
  ['nor may she as somebody else', { userId: ' Alice ', userRole: 'DPO' }],
] as const;

interface Change {
  readonly to: string;
  readonly userId: string;
  readonly leafIndex: number | null;
}

/** An incident on a signal, from OPEN to CLOSED, by two people. */
export async function settleIncident(desk: Desk, signalId: string): Promise<void> {
  heading('3. An incident, and the two people whom it takes');
  const { client, show, steps } = desk;
  const opened = dataOf(
    await client.call(createIncident, {
      body: {
        signalId,
        title: 'A customer’s data in a prompt',
        description: 'Found on the morning round through the HIGH signals',
      },
    }),
  );
  const id = String(opened.id);
  const notifyBy = opened.notifyBy === null ? '' : `, others to be told by ${String(opened.notifyBy)}`;
  show(
    `incident ${id} is ${String(opened.status)}, severity ${String(opened.severity)}${notifyBy}`,
    opened.status === 'OPEN',
  );
  const move = async (to: string, by: object): Promise<string> =>
    String(dataOf(await client.call(moveIncident, { params: { id }, body: { status: to, ...by } })).status);
  show(
    'alice, a compliance officer, investigates and resolves it',
    (await move('INVESTIGATING', ALICE)) === 'INVESTIGATING' &&
      (await move('RESOLVED', {
        ...ALICE,
        resolution: 'The prompt template no longer carries the customer’s data',
      })) === 'RESOLVED',
  );
  for (const [what, by] of HER_ATTEMPTS) {
    const refusal = await refusalOf(
      client.call(moveIncident, { params: { id }, body: { status: 'VERIFIED', ...by } }),
    );
    show(`${what}: ${refusal?.message}`, refusal?.code === 'SEGREGATION_OF_DUTIES');
  }
  show(
    'bob, the data protection officer, verifies and closes it',
    (await move('VERIFIED', BOB)) === 'VERIFIED' && (await move('CLOSED', BOB)) === 'CLOSED',
  );
  const history = await untilThere('the places of the moves on the ledger', async () => {
    const changes = dataOf(await client.call(getIncident, { params: { id } })).history as Change[];
    return changes.every(({ leafIndex }) => leafIndex !== null) ? changes : null;
  });
  const places = history.map(({ to, leafIndex }) => `${to} ${leafIndex}`).join(', ');
  show(
    `each of the five is an entry of the ledger, the refused ones are none: ${places}`,
    history.length === 5,
  );
  steps.push({
    what: 'an incident from OPEN to CLOSED, by two people',
    entries: history.map((_, number) => ({ kind: 'INCIDENT_EVENT', id: `${id}:${number + 1}` })),
  });
}
