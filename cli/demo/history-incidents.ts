import { createIncident, listIncidents, moveIncident } from '#schemas/endpoints.ts';
import type { SignalLine } from './signals.ts';
import { dataOf } from './tour.ts';
import type { Workspace } from './workspace.ts';

const DAY_MS = 86_400_000;
const MAYA = { userId: 'maya.lindqvist', userRole: 'COMPLIANCE_OFFICER' };
const TOMAS = { userId: 'tomas.reyes', userRole: 'SECURITY_OFFICER' };
const IRIS = { userId: 'iris.okafor', userRole: 'DPO' };

interface Example {
  readonly title: string;
  /** Selects the newest signal with the code in the sandbox that is at least this many days old. */
  readonly code: string;
  readonly sandboxSlug: string;
  readonly daysAgo: number;
  readonly dueInDays: number;
  readonly moves: readonly (readonly [status: string, by: object, more?: object])[];
}

const EXAMPLES: readonly Example[] = [
  {
    title: 'Card number sent to a model provider',
    code: 'CREDIT_CARD',
    sandboxSlug: 'customer-support',
    daysAgo: 8,
    dueInDays: -2,
    moves: [['INVESTIGATING', MAYA, { comment: 'Asked the provider whether the prompt was kept' }]],
  },
  {
    title: 'Deploy keys pasted into the code assistant',
    code: 'SECRET_LEAK',
    sandboxSlug: 'code-assistant',
    daysAgo: 2,
    dueInDays: 1,
    moves: [],
  },
  {
    title: 'Jailbreak attempts against the code assistant',
    code: 'JAILBREAK_ATTEMPT',
    sandboxSlug: 'code-assistant',
    daysAgo: 4,
    dueInDays: 3,
    moves: [
      ['INVESTIGATING', TOMAS],
      ['REMEDIATING', TOMAS, { comment: 'Blocking the prompt pattern at the gateway' }],
    ],
  },
  {
    title: 'Social security number in an HR answer',
    code: 'SSN',
    sandboxSlug: 'hr-assistant',
    daysAgo: 5,
    dueInDays: 5,
    moves: [
      ['INVESTIGATING', MAYA],
      ['RESOLVED', MAYA, { resolution: 'The export no longer contains the field' }],
    ],
  },
  {
    title: 'Social security number in a support chat',
    code: 'SSN',
    sandboxSlug: 'customer-support',
    daysAgo: 12,
    dueInDays: 7,
    moves: [
      ['INVESTIGATING', MAYA],
      ['RESOLVED', MAYA, { resolution: 'The chat form masks the number before it is sent' }],
      ['VERIFIED', IRIS],
      ['CLOSED', IRIS],
    ],
  },
  {
    title: 'Token in a code sample',
    code: 'SECRET_LEAK',
    sandboxSlug: 'code-assistant',
    daysAgo: 15,
    dueInDays: 7,
    moves: [['DISMISSED', IRIS, { comment: 'An example from the vendor’s documentation' }]],
  },
];

function signalOf(signals: readonly SignalLine[], example: Example): string {
  const until = Date.now() - example.daysAgo * DAY_MS;
  const found = signals
    .filter(
      ({ sandboxSlug, violations, createdAt }) =>
        sandboxSlug === example.sandboxSlug &&
        violations.includes(example.code) &&
        Date.parse(createdAt) <= until,
    )
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt))[0];
  if (found === undefined) throw new Error(`no signal for the incident "${example.title}"`);
  return found.auditId;
}

/** Opens the missing example incidents, and moves them; returns how many it opened. */
export async function openIncidents({ client }: Workspace, signals: readonly SignalLine[]): Promise<number> {
  const listed = dataOf<{ title: string }[]>(await client.call(listIncidents, { query: { limit: 100 } }));
  const missing = EXAMPLES.filter(({ title }) => listed.every((one) => one.title !== title));
  for (const example of missing) {
    const { title, dueInDays, moves } = example;
    const dueAt = new Date(Date.now() + dueInDays * DAY_MS).toISOString();
    const body = { signalId: signalOf(signals, example), title, dueAt };
    const { id = '' } = dataOf<Record<string, string>>(await client.call(createIncident, { body }));
    for (const [status, by, more] of moves)
      await client.call(moveIncident, { params: { id }, body: { status, ...by, ...more } });
  }
  return missing.length;
}
