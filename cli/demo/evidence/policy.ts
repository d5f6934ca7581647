import { randomUUID } from 'node:crypto';
import {
  createPolicy,
  getIncident,
  getPolicyReport,
  ingestAudit,
  listIncidents,
} from '#schemas/endpoints.ts';
import { coveringCheckpoint, type Desk, dataOf, heading, listOf, untilThere } from '../steps/desk.ts';

const SLUG = 'customer-support';
/** One signal with a social security number breaches the policy. */
const BREACHING_PROMPT = 'My social security number is 536-22-8726, please update my file.';

/** A policy that allows nothing of a kind, the signal that breaches it, and the incident that it opens by itself. */
export async function breachPolicy(desk: Desk, framework: string): Promise<void> {
  heading('4. A policy that acts');
  const { client, show, steps } = desk;
  const policy = dataOf(
    await client.call(createPolicy, {
      body: {
        name: 'No social security numbers in support',
        framework,
        sandboxSlugs: [SLUG],
        rules: [{ code: 'SSN', minRiskLevel: 'LOW', maxCount: 0, windowDays: 30, action: 'OPEN_INCIDENT' }],
        enforcement: 'ENFORCE',
      },
    }),
  );
  const policyId = String(policy.id);
  steps.push({
    what: 'the policy',
    entries: [{ kind: 'POLICY_EVENT', id: `policy:${policyId}:${String(policy.version)}` }],
  });
  // Its rules hold for signals behind its entry, so that nobody is held to a rule that was not there yet.
  await coveringCheckpoint(desk);
  show(
    `policy ${policyId}, version ${String(policy.version)}, is enforced: no SSN in ${SLUG}`,
    policy.enforcement === 'ENFORCE',
  );
  const auditId = await breach(desk);
  const incident = await untilThere('the incident of the breach', async () => {
    const [found] = listOf(await client.call(listIncidents, { query: { signalId: auditId } }));
    return found ?? null;
  });
  const { history } = dataOf(await client.call(getIncident, { params: { id: String(incident.id) } }));
  const [opening] = history as { userId: string }[];
  show(
    `its breach opened incident ${String(incident.id)} by itself: "${String(incident.title)}", by ${String(opening?.userId)}`,
    opening?.userId === 'system',
  );
  steps.push({
    what: 'the signal that breached it',
    entries: [{ kind: 'SIGNAL', id: auditId }],
  });
  steps.push({
    what: 'the incident that the policy opened',
    entries: [{ kind: 'INCIDENT_EVENT', id: `${String(incident.id)}:1` }],
  });
  const report = dataOf(await client.call(getPolicyReport, { params: { id: policyId } }));
  const [rule] = report.rules as { count: number }[];
  show(
    `its report says ${String(report.status)}: ${String(rule?.count)} signals where none is allowed, ${String(report.incidentsOpened)} incident opened`,
    report.status === 'FAIL' && report.incidentsOpened === 1,
  );
}

async function breach({ client }: Desk): Promise<string> {
  const triplet = {
    sandboxSlug: SLUG,
    provider: 'openai',
    model: 'gpt-4o',
    prompt: BREACHING_PROMPT,
    response: 'Your file has been updated.',
  };
  const answer = await client.call(ingestAudit, {
    body: triplet,
    headers: { 'idempotency-key': randomUUID() },
  });
  return String(dataOf(answer).auditId);
}
