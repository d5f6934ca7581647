import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { type Client, RequestFailed } from '../../../cli/command/client.ts';
import { makeCustomer, makeSandbox, triplet } from '../../helpers/customer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { verifyChain } from '../../helpers/final-state.ts';
import { isUnanswered } from '../../helpers/load.ts';
import type { TestService } from '../../helpers/service.ts';
import { type Callers, callersOf, createRequests, type Request, type Requests } from './requests.ts';

/** Its sandboxes: signals that breach policies, that the retention policy expires, and that are erased on request. */
const ROOMS = ['watched', 'old', 'erased'] as const;
type Room = (typeof ROOMS)[number];
/** Name prefix of audits that fail. */
const FAILED = 'failed';

const DAY_MS = 86_400_000;
const OLD_DAYS = 40;
const RETENTION_DAYS = 30;
const PAUSE_MS = 200;
const ERASED_AT_ONCE = 4;
const STARTED_WITHIN_MS = 30_000;
/** A package still being built after this time continues during the next step. */
const PACKAGE_WITHIN_MS = 5_000;

/** A small customer whose signals breach policies, are erased and go into packages, across all rounds. */
export interface EvidenceWork {
  readonly customerId: string;
  readonly customerKey: string;
  /** Its own requests, repeated with its key. */
  readonly requests: Requests;
  /** Ids of signals and failing audits to erase; true once the erasure is decided. */
  readonly erasures: Map<string, boolean>;
}

type Answered = Readonly<Record<string, unknown>>;

/** Responses to the requests of a kind, without the envelope. */
export const answersOf = ({ requests }: EvidenceWork, kind: string): Answered[] =>
  [...requests.answered].flatMap(([name, body]) =>
    name.startsWith(`${kind}-`) ? [(body.data ?? body) as Answered] : [],
  );

/** Ids of the signals of a sandbox, or of the failing audits. */
export const signalsOf = (work: EvidenceWork, kind: Room | typeof FAILED): Set<string> =>
  new Set(answersOf(work, kind).map(({ auditId }) => String(auditId)));

export async function createEvidenceWork(
  service: Pick<TestService, 'url' | 'internalSecret'>,
): Promise<EvidenceWork> {
  const { id, key, client } = await makeCustomer(service, 'Evidence');
  for (const room of ROOMS) await makeSandbox(client, room);
  const policy = { name: 'Short', retentionDays: RETENTION_DAYS, sandboxSlug: 'old' };
  await client.request('POST', '/evidence/retention/policies', policy);
  // A package needs a checkpoint, and a checkpoint needs an entry.
  await eventually('the ledger has an entry', STARTED_WITHIN_MS, async () =>
    (await verifyChain(client)).treeSize > 0 ? true : undefined,
  );
  return { customerId: id, customerKey: key, requests: createRequests(), erasures: new Map() };
}

/**
 * Works until the service ends, starting with the unanswered requests of earlier rounds. `failing`: a model whose
 * analyses fail, or null.
 */
export async function evidenceUntilEnd(
  work: EvidenceWork,
  service: Pick<TestService, 'url' | 'internalSecret' | 'ended'>,
  { round, failing }: { readonly round: string; readonly failing: string | null },
): Promise<void> {
  const callers = callersOf(service, work.customerKey);
  let ended = false;
  void service.ended.then(() => {
    ended = true;
  });
  const insist = async (request: Request): Promise<Answered | null> => {
    for (;;) {
      const answer = await work.requests.send(callers, request);
      if (answer !== null || ended) return answer;
      await setTimeout(PAUSE_MS);
    }
  };
  for (const request of [...work.requests.unanswered.values()]) await insist(request);
  if (ended) return;
  await Promise.all([
    insist(policyOf(work, `policy-${round}`)),
    failing === null ? null : insist(ingest(`${FAILED}-${round}`, failing)),
  ]);
  for (let number = 0; !ended; number += 1) {
    const before = [...work.erasures.keys()];
    await Promise.all(ROOMS.map((room) => insist(signalOf(work, room))));
    wantErasures(work);
    const packaging = async (): Promise<void> => {
      const made = await insist(packageOf(`package-${round}-${number}`, number));
      await packageEnds(callers, made, () => ended);
    };
    // Signals of this step are erased in the next one, when they are stored and in a package.
    const erasing = eraseAll(work, callers, before);
    await Promise.all([packaging(), erasing, insist(retentionRun(`run-${round}-${number}`))]);
    await setTimeout(PAUSE_MS);
  }
}

/** Marks all signals of the `erased` sandbox and the failing audits for erasure. */
export function wantErasures(work: EvidenceWork): void {
  for (const kind of ['erased', FAILED] as const)
    for (const id of signalsOf(work, kind)) if (!work.erasures.has(id)) work.erasures.set(id, false);
}

/** Waits for a round's package, so that erasures find it finished; most of the time it was restarted before. */
async function packageEnds({ customer }: Callers, made: Answered | null, isOver: () => boolean) {
  if (made === null) return;
  const { id } = made.data as { id: string };
  const deadline = Date.now() + PACKAGE_WITHIN_MS;
  while (!isOver() && Date.now() < deadline) {
    const shown = await customer.request('GET', `/evidence/packages/${id}`).catch(unanswered);
    if ((shown?.body.data as unknown as { status?: string } | undefined)?.status !== 'GENERATING') return;
    await setTimeout(PAUSE_MS);
  }
}

/** Requests the erasures that are not decided yet, of these ids or of all. */
export async function eraseAll(
  { erasures }: EvidenceWork,
  { customer }: Callers,
  ids: readonly string[] = [...erasures.keys()],
): Promise<void> {
  const open = ids.filter((id) => erasures.get(id) === false);
  // A response may take seconds, until the erasure is folded.
  await mapConcurrent(open, ERASED_AT_ONCE, async (id) => {
    if (await isErased(customer, id)) erasures.set(id, true);
  });
}

/** Requests an erasure; true once it is decided, even by a request whose response was lost. */
async function isErased(customer: Client, id: string): Promise<boolean> {
  const isMissing = (error: unknown): boolean => error instanceof RequestFailed && error.statusCode === 404;
  const answered = await customer.request('DELETE', `/evidence/retention/signals/${id}`).then(
    () => true,
    (error: unknown) => (isMissing(error) ? null : unanswered(error)),
  );
  if (answered !== null) return answered === true;
  // Not stored yet, or already erased.
  return customer.request('GET', `/evidence/retention/erasures/${id}`).then(
    () => true,
    (error: unknown) => (isMissing(error) ? false : unanswered(error) === true),
  );
}

function unanswered(error: unknown): undefined {
  if (!isUnanswered(error)) throw error;
}

/** Allows no signal, or, for every second policy, one. */
export const policyOf = (work: EvidenceWork, name: string): Request => ({
  name,
  caller: 'customer',
  method: 'POST',
  path: '/evidence/policies',
  body: {
    name,
    framework: 'GDPR',
    enforcement: 'ENFORCE',
    sandboxSlugs: ['watched'],
    rules: [{ code: '*', minRiskLevel: 'LOW', maxCount: answersOf(work, 'policy').length % 2 }],
  },
  once: 'header',
});

export const signalOf = ({ customerId }: EvidenceWork, room: Room): Request => {
  const auditId = randomUUID();
  const ageMs = room === 'old' ? OLD_DAYS * DAY_MS : 0;
  const body = {
    auditId,
    customerId,
    sandboxSlug: room,
    provider: 'gemini',
    model: 'gemini-3',
    riskLevel: 'HIGH',
    violations: ['EMAIL'],
    createdAt: new Date(Date.now() - ageMs).toISOString(),
  };
  const name = `${room}-${auditId}`;
  return { name, caller: 'internal', method: 'POST', path: '/internal/signal', body, once: 'request' };
};

/** `number` varies the period: two requests with the same period would be one package. */
export const packageOf = (name: string, number: number): Request => {
  const startDate = new Date(Date.now() - (100 + number) * DAY_MS).toISOString();
  const body = { framework: 'GDPR', startDate, endDate: '2099-12-31' };
  return { name, caller: 'customer', method: 'POST', path: '/evidence/packages', body, once: 'header' };
};

const retentionRun = (name: string): Request => ({
  name,
  caller: 'internal',
  method: 'POST',
  path: '/internal/retention/run',
  once: 'request',
});

const ingest = (name: string, model: string): Request => ({
  name,
  caller: 'customer',
  method: 'POST',
  path: '/audit/ingest',
  body: triplet('erased', 0, model),
  once: 'header',
});
