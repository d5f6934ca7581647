import { ingestBatch } from '#schemas/endpoints.ts';
import { VIOLATION_GROUPS } from '#schemas/vocabulary.ts';
import { RequestFailed } from '../command/client.ts';
import { attackTriplets } from './attacks.ts';
import type { Content, Slot } from './history-slots.ts';
import { readAllSignals, type SignalLine } from './signals.ts';
import { exampleLines, waitFor } from './tour.ts';
import type { Workspace } from './workspace.ts';

/** Every n-th example triplet is ingested. */
const EVERY = 3;

/**
 * Ingests example triplets, and near-duplicates of one attack, and returns the service's signals for them, in order.
 * The Idempotency-Key makes a second run find the first one's audits.
 */
export async function ingestExamples({ client, startedAt }: Workspace): Promise<SignalLine[]> {
  const examples = exampleLines()
    .filter((_, index) => index % EVERY === 0)
    .map((line) => JSON.parse(line) as object);
  const answer = await client
    .call(ingestBatch, {
      body: [...examples, ...attackTriplets()],
      headers: { 'idempotency-key': `demo-${Date.parse(startedAt)}` },
    })
    .catch(refuseSecondDemo);
  const items = answer.body.data as unknown as { readonly auditId?: string }[];
  const ids = items.flatMap(({ auditId }) => auditId ?? []);
  if (ids.length < items.length) throw new Error('the service refused some of the example triplets');
  return waitFor('the signals of the example triplets', async () => {
    const signals = new Map((await readAllSignals(client)).map((signal) => [signal.auditId, signal]));
    const own = ids.flatMap((id) => signals.get(id) ?? []);
    return own.length === ids.length ? own : null;
  });
}

function refuseSecondDemo(error: unknown): never {
  if (!(error instanceof RequestFailed) || error.code !== 'IDEMPOTENCY_IN_FLIGHT') throw error;
  throw new RequestFailed(
    'Another demo is running in this workspace. Wait until it has finished.',
    error.statusCode,
    error.code,
  );
}

function contentOf({ violations }: SignalLine): Content {
  const has = (codes: readonly string[]): boolean => violations.some((code) => codes.includes(code));
  if (has(VIOLATION_GROUPS.PROMPT_INJECTION)) return 'ATTACK';
  if (has(['SECRET_LEAK'])) return 'SECRET';
  return violations.length > 0 ? 'PERSONAL' : 'CLEAN';
}

/** Chooses an example for each exchange of the history: from its sandbox, with the intended content. */
export function chooserOf(examples: readonly SignalLine[]): (slot: Slot) => SignalLine {
  const known = new Map<string, SignalLine[]>();
  for (const example of examples) {
    const kind = `${example.sandboxSlug} ${contentOf(example)}`;
    known.set(kind, [...(known.get(kind) ?? []), example]);
  }
  return ({ sandboxSlug, content, turn }) => {
    const some = known.get(`${sandboxSlug} ${content}`);
    if (some === undefined) throw new Error(`no example of ${sandboxSlug} is ${content}`);
    return some[turn % some.length]!;
  };
}
