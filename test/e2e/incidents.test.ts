import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RequestFailed } from '../../cli/client.ts';
import {
  customerClient,
  makeCustomer,
  makeSandbox,
  type TestCustomer,
  triplet,
} from '../helpers/customer.ts';
import { eventually } from '../helpers/eventually.ts';
import { verifyChain } from '../helpers/final-state.ts';
import { removeDataDir, startService, type TestService, temporaryDataDir } from '../helpers/service.ts';

/** An incident from its signal to its end, as two people with one API key see it. */

const WITHIN_MS = 30_000;
const ANN = { userId: 'ann@example.org', userRole: 'ANALYST' };
const BEN = { userId: 'Ben', userRole: 'COMPLIANCE_OFFICER' };

interface Incident {
  readonly id: string;
  readonly status: string;
  readonly version: number;
  readonly moves: readonly { readonly to: string; readonly blockedUserIds: readonly string[] }[];
  readonly history: readonly { readonly to: string; readonly leafIndex: number | null }[];
}

describe('an incident', () => {
  const dataDir = temporaryDataDir();
  let service: TestService;
  let customer: TestCustomer;
  let signalId: string;
  let incident: Incident;

  beforeAll(async () => {
    service = await startService(dataDir);
    customer = await makeCustomer(service, 'Incidents');
    await makeSandbox(customer.client, 'watched', { regulations: ['GDPR'] });
    const accepted = await customer.client.call('POST', '/audit/ingest', triplet('watched', 1));
    signalId = String(accepted.body.auditId);
    const audit = await customer.client.call('GET', `/audits/${signalId}?wait=30`);
    expect(audit.body.status).toBe('COMPLETED');
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  }, 60_000);

  const read = async (id: string): Promise<Incident> =>
    (await customer.client.call('GET', `/evidence/incidents/${id}`)).body.data as unknown as Incident;
  const move = async (status: string, user: object, texts: object = {}, headers = {}): Promise<Incident> => {
    const path = `/evidence/incidents/${incident.id}/status`;
    const answer = await customer.client.call('PATCH', path, { status, ...user, ...texts }, headers);
    return answer.body.data as unknown as Incident;
  };
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: RequestFailed) => [error.statusCode, error.code],
    );

  test('is opened once on its signal', async () => {
    const open = () => customer.client.call('POST', '/evidence/incidents', { signalId });
    const answers = [await open(), await open()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200]);
    incident = answers[0]!.body.data as unknown as Incident;
    expect((answers[1]!.body.data as unknown as Incident).id).toBe(incident.id);
    expect(incident).toMatchObject({ status: 'OPEN', notifyBy: expect.any(String) });
  });

  test('goes through every state, with the duties apart', async () => {
    await move('INVESTIGATING', ANN);
    await move('REMEDIATING', ANN, { comment: 'asks the team to take it out' });
    const resolved = await move('RESOLVED', ANN, { resolution: 'taken out' });
    expect(resolved.moves.map(({ blockedUserIds }) => blockedUserIds)).toEqual([[ANN.userId], [ANN.userId]]);
    expect(await refusal(move('VERIFIED', ANN))).toEqual([403, 'ROLE_NOT_ALLOWED']);
    const asOther = { userId: ' ANN@example.org ', userRole: 'ADMIN' };
    expect(await refusal(move('VERIFIED', asOther))).toEqual([403, 'SEGREGATION_OF_DUTIES']);
    const stale = { 'if-match': '"2"' };
    expect(await refusal(move('VERIFIED', BEN, {}, stale))).toEqual([409, 'VERSION_CONFLICT']);

    // The check fails at first.
    await move('INVESTIGATING', BEN, { comment: 'it is still there' });
    await move('RESOLVED', ANN, { resolution: 'taken out everywhere' });
    await move('VERIFIED', BEN, {}, { 'if-match': '"6"' });
    incident = await move('CLOSED', BEN);
    expect(incident).toMatchObject({
      status: 'CLOSED',
      investigatorId: ANN.userId,
      resolverId: ANN.userId,
      verifierId: BEN.userId,
      closerId: BEN.userId,
      resolution: 'taken out everywhere',
    });
    expect(await refusal(move('OPEN', BEN))).toEqual([400, 'INVALID_STATUS_TRANSITION']);
    // A new round, that comes to nothing.
    await move('INVESTIGATING', BEN);
    expect(await refusal(move('DISMISSED', BEN))).toEqual([403, 'SEGREGATION_OF_DUTIES']);
    incident = await move('DISMISSED', { userId: 'cleo', userRole: 'DPO' });
    expect(incident).toMatchObject({ status: 'DISMISSED', version: 10 });
  });

  test('has an entry of the chain for each change, and the chain verifies', async () => {
    const { history } = await eventually('all entries are stored', WITHIN_MS, async () => {
      const found = await read(incident.id);
      return found.history.every(({ leafIndex }) => leafIndex !== null) ? found : undefined;
    });
    expect(history.map(({ to }) => to)).toEqual([
      ...['OPEN', 'INVESTIGATING', 'REMEDIATING', 'RESOLVED', 'INVESTIGATING', 'RESOLVED', 'VERIFIED'],
      ...['CLOSED', 'INVESTIGATING', 'DISMISSED'],
    ]);
    const places = history.map(({ leafIndex }) => leafIndex!);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    const verification = await verifyChain(customer.client);
    expect(verification).toMatchObject({ status: 'VALID', errors: [] });
    expect(verification.treeSize).toBeGreaterThan(places.at(-1)!);
    // The key, the sandbox, the signal, and nothing else besides.
    expect(verification.treeSize).toBe(3 + history.length);
  });

  test('is listed by its status and its signal, after a restart too', async () => {
    expect(await service.stop()).toBe(0);
    service = await startService(dataDir);
    customer = { ...customer, client: customerClient(service.url, customer.key) };
    const list = async (query: string) =>
      (await customer.client.call('GET', `/evidence/incidents?${query}`)).body.data as unknown as Incident[];
    expect((await list(`status=DISMISSED&signalId=${signalId}`)).map(({ id }) => id)).toEqual([incident.id]);
    expect(await list('status=OPEN')).toEqual([]);
    const { history, ...shown } = await read(incident.id);
    expect((await list(''))[0]).toEqual(shown);
    expect(history).toHaveLength(10);
  }, 60_000);
});
