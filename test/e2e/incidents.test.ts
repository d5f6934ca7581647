import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { RequestFailed } from '../../cli/command/client.ts';
import { runCas } from '../helpers/cas-process.ts';
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

/** An incident from its signal to its end, handled by two people with one API key. */

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
    const accepted = await customer.client.request('POST', '/audit/ingest', triplet('watched', 1));
    signalId = String(accepted.body.auditId);
    const audit = await customer.client.request('GET', `/audits/${signalId}?wait=30`);
    expect(audit.body.status).toBe('COMPLETED');
  }, 120_000);
  afterAll(async () => {
    await service?.killTree();
    removeDataDir(dataDir);
  }, 60_000);

  const read = async (id: string): Promise<Incident> =>
    (await customer.client.request('GET', `/evidence/incidents/${id}`)).body.data as unknown as Incident;
  const move = async (status: string, user: object, texts: object = {}, headers = {}): Promise<Incident> => {
    const path = `/evidence/incidents/${incident.id}/status`;
    const answer = await customer.client.request('PATCH', path, { status, ...user, ...texts }, headers);
    return answer.body.data as unknown as Incident;
  };
  const refusal = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: RequestFailed) => [error.statusCode, error.code],
    );

  test('is opened once for its signal', async () => {
    const open = () => customer.client.request('POST', '/evidence/incidents', { signalId });
    const answers = [await open(), await open()];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 200]);
    incident = answers[0]!.body.data as unknown as Incident;
    expect((answers[1]!.body.data as unknown as Incident).id).toBe(incident.id);
    expect(incident).toMatchObject({ status: 'OPEN', notifyBy: expect.any(String) });
  });

  test('passes through every state with separated duties', async () => {
    await move('INVESTIGATING', ANN);
    await move('REMEDIATING', ANN, { comment: 'asks the team to take it out' });
    const resolved = await move('RESOLVED', ANN, { resolution: 'taken out' });
    expect(resolved.moves.map(({ blockedUserIds }) => blockedUserIds)).toEqual([[ANN.userId], [ANN.userId]]);
    expect(await refusal(move('VERIFIED', ANN))).toEqual([403, 'ROLE_NOT_ALLOWED']);
    const asOther = { userId: ' ANN@example.org ', userRole: 'ADMIN' };
    expect(await refusal(move('VERIFIED', asOther))).toEqual([403, 'SEGREGATION_OF_DUTIES']);
    const stale = { 'if-match': '"2"' };
    expect(await refusal(move('VERIFIED', BEN, {}, stale))).toEqual([409, 'VERSION_CONFLICT']);

    // The first verification fails.
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
    // A second investigation that finds nothing.
    await move('INVESTIGATING', BEN);
    expect(await refusal(move('DISMISSED', BEN))).toEqual([403, 'SEGREGATION_OF_DUTIES']);
    incident = await move('DISMISSED', { userId: 'cleo', userRole: 'DPO' });
    expect(incident).toMatchObject({ status: 'DISMISSED', version: 10 });
  });

  test('has a ledger entry for each change, and the chain verifies', async () => {
    const { history } = await eventually('all entries are stored', WITHIN_MS, async () => {
      const found = await read(incident.id);
      return found.history.every(({ leafIndex }) => leafIndex !== null) ? found : undefined;
    });
    expect(history.map(({ to }) => to)).toEqual([
      ...['OPEN', 'INVESTIGATING', 'REMEDIATING', 'RESOLVED', 'INVESTIGATING', 'RESOLVED', 'VERIFIED'],
      ...['CLOSED', 'INVESTIGATING', 'DISMISSED'],
    ]);
    const indexes = history.map(({ leafIndex }) => leafIndex!);
    expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
    const verification = await verifyChain(customer.client);
    expect(verification).toMatchObject({ status: 'VALID', errors: [] });
    expect(verification.treeSize).toBeGreaterThan(indexes.at(-1)!);
    // Only the key, the sandbox and the signal besides the history.
    expect(verification.treeSize).toBe(3 + history.length);
  });

  test('is listed by status and signal, also after a restart', async () => {
    expect(await service.stop()).toBe(0);
    service = await startService(dataDir);
    customer = { ...customer, client: customerClient(service.url, customer.key) };
    const list = async (query: string) =>
      (await customer.client.request('GET', `/evidence/incidents?${query}`)).body
        .data as unknown as Incident[];
    expect((await list(`status=DISMISSED&signalId=${signalId}`)).map(({ id }) => id)).toEqual([incident.id]);
    expect(await list('status=OPEN')).toEqual([]);
    const { history, ...shown } = await read(incident.id);
    expect((await list(''))[0]).toEqual(shown);
    expect(history).toHaveLength(10);
  }, 60_000);

  test('is opened by the service itself when a policy acts', async () => {
    const policy = { name: 'Nothing', framework: 'GDPR', enforcement: 'ENFORCE' };
    const rules = [{ code: '*', minRiskLevel: 'LOW' }];
    const made = await customer.client.request('POST', '/evidence/policies', { ...policy, rules });
    const { id } = made.body.data as unknown as { id: string };
    // A policy applies to signals after its entry.
    await eventually('the policy is stored', WITHIN_MS, async () =>
      (await verifyChain(customer.client)).treeSize === 14 ? true : undefined,
    );
    const accepted = await customer.client.request('POST', '/audit/ingest', triplet('watched', 1));
    const breaching = String(accepted.body.auditId);
    const opened = await eventually('the breach has its incident', WITHIN_MS, async () => {
      const { body } = await customer.client.request('GET', `/evidence/incidents?signalId=${breaching}`);
      return (body.data as unknown as Incident[])[0];
    });
    expect((await read(opened.id)).history[0]).toMatchObject({
      ...{ to: 'OPEN', userId: 'system', userRole: null, assertedByKeyId: null },
    });
    const { body } = await customer.client.request('GET', `/evidence/policies/${id}/report`);
    expect(body.data).toMatchObject({ status: 'FAIL', incidentsOpened: 1 });
  }, 60_000);

  test('is in an evidence package that cas verify checks offline', async () => {
    const { client } = customer;
    // A package contains what was stored when it was requested, so wait for the breach's signal and for the entry that
    // opened its incident.
    await eventually('the move is stored', WITHIN_MS, async () =>
      (await verifyChain(client)).treeSize === 16 ? true : undefined,
    );
    const asked = { framework: 'GDPR', startDate: '2026-01-01', endDate: '2099-12-31' };
    const made = (await client.request('POST', '/evidence/packages', asked)).body.data as unknown as {
      id: string;
    };
    const ready = await eventually('the package can be downloaded', WITHIN_MS, async () => {
      const { body } = await client.request('GET', `/evidence/packages/${made.id}`);
      const { status, sha256 } = body.data as unknown as { status: string; sha256: string };
      return status === 'READY' ? { sha256 } : undefined;
    });
    const { url } = service;
    const keys = await client.request('GET', '/evidence/hash-chain/keys');
    const [{ vkey }] = keys.body.data as unknown as [{ vkey: string }];
    const headers = { 'x-service-key': customer.key };
    const answer = await fetch(`${url}/evidence/packages/${made.id}/download`, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(ready.sha256);
    expect(await service.stop()).toBe(0);
    const file = path.join(dataDir, 'package.zip');
    writeFileSync(file, bytes);
    const verified = await runCas(['verify', file, '--key', vkey], { DATA_DIR: dataDir });
    expect([verified.code, verified.output]).toEqual([
      0,
      expect.stringContaining('2 signals and 11 incident changes match their ledger entries'),
    ]);
    bytes[bytes.indexOf('"reasoning"') + 20]! ^= 1;
    writeFileSync(file, bytes);
    const changed = await runCas(['verify', file, '--key', vkey], { DATA_DIR: dataDir });
    expect([changed.code, changed.output]).toEqual([
      1,
      expect.stringContaining('no   signals.ndjson: it was changed'),
    ]);
  }, 60_000);
});
