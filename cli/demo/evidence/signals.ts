import { createDemoSandboxes, slugsUnder } from '../steps/customer.ts';
import { type Desk, heading } from '../steps/desk.ts';
import { exampleLines, ingestExamples } from '../steps/examples.ts';
import { readAllSignals } from '../steps/report.ts';

/** Two signals of HIGH risk, of sandboxes whose regulations name the framework. */
interface Chosen {
  /** Something will be done about it. */
  readonly forIncident: string;
  /** The person whom it is about will ask to be forgotten. */
  readonly forErasure: string;
}

/** The day's material: three sandboxes, the examples, and a signal of each of them. */
export async function ingestDay(desk: Desk, framework: string): Promise<Chosen> {
  const lines = exampleLines();
  heading(`1. Signals: ${lines.length} example triplets go in`);
  const { client, show, steps } = desk;
  const sandboxes = await createDemoSandboxes(client);
  steps.push({
    what: 'three sandboxes',
    entries: sandboxes.map((id) => ({ kind: 'POLICY_EVENT', id: `sandbox:${id}:1` })),
  });
  const ingested = await ingestExamples(client, lines);
  steps.push({
    what: `${ingested.length} signals`,
    entries: ingested.map(({ auditId }) => ({ kind: 'SIGNAL', id: auditId })),
  });
  const signals = await readAllSignals(client);
  show(
    `${signals.length} signals of ${lines.length} triplets are stored, each under an audit id of its own`,
    signals.length === lines.length && new Set(signals.map(({ auditId }) => auditId)).size === lines.length,
  );
  const slugs = slugsUnder(framework);
  const [first, second] = signals.filter(
    ({ riskLevel, sandboxSlug }) => riskLevel === 'HIGH' && slugs.includes(sandboxSlug),
  );
  if (first === undefined || second === undefined)
    throw new Error(`two of the examples have to be HIGH, in sandboxes of ${framework}`);
  return { forIncident: first.auditId, forErasure: second.auditId };
}
