import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { triplet } from '../../helpers/customer.ts';
import { isUnanswered, PAUSE_AFTER_FAILURE_MS } from '../../helpers/load.ts';
import type { TestService } from '../../helpers/service.ts';
import { type EvidenceWork, evidenceUntilEnd } from './evidence-work.ts';
import { type LeavingCustomer, leave, leavingCustomer } from './leaving-customers.ts';
import { type Callers, callersOf, createRequests, type Request, type Requests } from './requests.ts';

export const SLUG = 'kill-test';
/** Its analyses fail until they are replayed. */
const FAILS = 'always-fails';
export const FAULTS = { FAULT_INJECTION: `open:${FAILS}:99` };

const INGESTING = 4;
const INGESTING_BESIDE = 2;
/** Failing audits per round. An analyzer stops when too many of its recent ones fail. */
const FAILING = 3;
/** People change rules and keys rarely; without a pause this would make thousands of versions. */
const PAUSE_MS = 100;
/** Keeps something in flight at all times; more would only slow the final checks. */
const INGEST_PAUSE_MS = 20;

/** Everything requested of the service in all rounds, apart from the customer's set-up. */
export interface Work {
  readonly customerId: string;
  readonly customerKey: string;
  readonly requests: Requests;
  readonly leaving: LeavingCustomer[];
  readonly evidence: EvidenceWork;
  /** Replays that were answered with 202 and had an effect. */
  replays: number;
}

export const createWork = (customerId: string, customerKey: string, evidence: EvidenceWork): Work => ({
  customerId,
  customerKey,
  requests: createRequests(),
  leaving: [],
  evidence,
  replays: 0,
});

/** Name prefixes of the kinds of requests. */
export const KINDS = {
  ingest: 'ingest-',
  failing: 'failing-',
  signal: 'signal-',
  rules: 'rules-',
  newKey: 'new-key-',
  revoke: 'revoke-',
} as const;

/** Responses to the requests of a kind. */
export const answersOf = (
  { requests }: Work,
  kind: keyof typeof KINDS,
): Readonly<Record<string, unknown>>[] =>
  [...requests.answered].flatMap(([name, body]) => (name.startsWith(KINDS[kind]) ? [body] : []));

const ingestOf = (name: string, number: number, model?: string): Request => ({
  name,
  caller: 'customer',
  method: 'POST',
  path: '/audit/ingest',
  body: triplet(SLUG, number, model),
  once: 'header',
});

const signalOf = ({ customerId }: Work, round: string): Request => {
  const auditId = randomUUID();
  const body = {
    auditId,
    customerId,
    sandboxSlug: SLUG,
    provider: 'gemini',
    model: 'gemini-3',
    riskLevel: 'LOW',
    reasoning: `Made in ${round}.`,
  };
  const name = `${KINDS.signal}${auditId}`;
  return { name, caller: 'internal', method: 'POST', path: '/internal/signal', body, once: 'request' };
};

/**
 * Does all kinds of work concurrently until the service ends, starting with the unanswered requests of earlier rounds.
 * `isLight`: evidence work with only a few audits, because the killed work waits for entries to be stored.
 */
export async function workUntilEnd(
  work: Work,
  service: TestService,
  round: string,
  { isLight = false }: { readonly isLight?: boolean } = {},
): Promise<void> {
  const { requests, customerId } = work;
  const callers = callersOf(service, work.customerKey);
  let ended = false;
  void service.ended.then(() => {
    ended = true;
  });
  const retries = [...requests.unanswered.values()];
  const send = async (request: Request) => {
    const answer = await requests.send(callers, request);
    if (answer === null) await setTimeout(PAUSE_AFTER_FAILURE_MS);
    return answer;
  };
  const until = async (step: (number: number) => Promise<unknown>): Promise<void> => {
    for (let number = 0; !ended; number += 1) await step(number);
  };

  const ingesting = (worker: number) =>
    until(async (number) => {
      await send(retries.pop() ?? ingestOf(`${KINDS.ingest}${round}-w${worker}-${number}`, number));
      await setTimeout(INGEST_PAUSE_MS);
    });
  const changingRules = (worker: number) =>
    until(async (number) => {
      const customRules = [`word-${round}-${worker}-${number}`];
      const name = `${KINDS.rules}${round}-${worker}-${number}`;
      const path = `/sandboxes/${SLUG}`;
      await send({ name, caller: 'customer', method: 'PATCH', path, body: { customRules }, once: 'header' });
      await setTimeout(PAUSE_MS);
    });
  const signalling = () =>
    until(async () => {
      const signal = signalOf(work, round);
      await Promise.all([send(signal), send(signal)]);
      await send(signal);
      await setTimeout(INGEST_PAUSE_MS);
    });
  const changingKeys = () =>
    until(async (number) => {
      const path = `/internal/customers/${customerId}/api-keys`;
      const name = `${KINDS.newKey}${round}-${number}`;
      const body = { name };
      const made = await send({ name, caller: 'internal', method: 'POST', path, body, once: 'header' });
      if (made !== null) await send(revocationOf(work, String(made.id)));
      await setTimeout(PAUSE_MS);
    });
  const failing = async () => {
    for (let number = 0; number < FAILING && !ended; number += 1)
      await send(ingestOf(`${KINDS.failing}${round}-${number}`, number, FAILS));
    await until(async () => {
      await replayAll(work, callers);
      await setTimeout(PAUSE_MS);
    });
  };
  const leaving = async () => {
    work.leaving.push(leavingCustomer(`${round}-leaves`));
    for (const one of work.leaving)
      while (!ended && !one.isErasureAsked && !(await leave(one, callers, service.url)))
        await setTimeout(PAUSE_MS);
  };
  const others = () => [...[0, 1].map(changingRules), signalling(), changingKeys(), failing(), leaving()];
  await Promise.all([
    ...Array.from({ length: isLight ? INGESTING_BESIDE : INGESTING }, (_, worker) => ingesting(worker)),
    evidenceUntilEnd(work.evidence, service, { round, failing: FAILS }),
    ...(isLight ? [] : others()),
  ]);
}

export const revocationOf = ({ customerId }: Work, keyId: string): Request => ({
  name: `${KINDS.revoke}${keyId}`,
  caller: 'internal',
  method: 'DELETE',
  path: `/internal/customers/${customerId}/api-keys/${keyId}`,
  once: 'request',
});

/** Replays the currently listed dead letters, one by one; resolves to their number. */
export async function replayAll(work: Work, { customer }: Callers): Promise<number> {
  try {
    const { body } = await customer.request('GET', '/dead-letters?limit=20');
    const listed = body.data as unknown as { id: string }[];
    for (const { id } of listed) {
      const answer = await customer.request('POST', `/dead-letters/${id}/replay`);
      work.replays += Number(answer.body.replayed);
    }
    return listed.length;
  } catch (error) {
    // 404: it has its signal by now, or its replay is in progress and it is no longer listed.
    const isGone = (error as { statusCode?: number }).statusCode === 404;
    if (isGone || isUnanswered(error)) return -1;
    throw error;
  }
}
