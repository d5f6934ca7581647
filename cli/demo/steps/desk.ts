import { getCheckpoint } from '#schemas/endpoints.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import { type Answer, type Client, RequestFailed } from '../../command/client.ts';
import { print } from '../../command/output.ts';

const WAIT_MS = 120_000;
const POLL_MS = 250;

/** An entry that a step has to leave on the ledger. `id` null: it is one that only the service knows. */
interface LeftEntry {
  readonly kind: LedgerKind;
  readonly id: string | null;
}

/** Something that was done, and what the ledger has to tell of it. */
export interface Step {
  readonly what: string;
  readonly entries: readonly LeftEntry[];
}

/** What the steps of the day share. */
export interface Desk {
  readonly client: Client;
  /** Headers that `client` sends, for what it does not do: downloads. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where answers are kept, as an auditor keeps them. */
  readonly folder: string;
  /** Verifier key of the service, as `cas verify --key` takes it. */
  readonly vkey: string;
  /** When the day began, ISO 8601. */
  readonly began: string;
  /** What was done so far; each step adds itself. */
  readonly steps: Step[];
  /** Prints what was shown, and whether it holds. */
  show(what: string, holds: boolean): void;
}

export type Data = Record<string, unknown>;

/** `data` of an answer of the evidence routes. */
export const dataOf = (answer: Answer): Data => answer.body.data as unknown as Data;
export const listOf = (answer: Answer): Data[] => answer.body.data as unknown as Data[];

export const heading = (text: string): void => print(`\n${text}`);

/** What was done, as a line that promises nothing by itself. */
export const tell = (text: string): void => print(`       ${text}`);

/** The error that a call was refused with, or null where it was let in. */
export async function refusalOf(call: Promise<Answer>): Promise<RequestFailed | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof RequestFailed && error.statusCode !== null) return error;
    throw error;
  }
}

/** How a refusal reads: its status and code. */
export const described = (refusal: RequestFailed | null): string =>
  refusal === null ? 'let in' : `${refusal.statusCode} ${refusal.code}`;

/** Asks until there is an answer that is not null; `what` names it when the time is up. */
export async function untilThere<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * The signed checkpoint, once it covers every step so far. What was answered is on its way to the ledger and may not be
 * stored yet; a package, a proof or a policy's rule reaches no further than what is.
 */
export async function coveringCheckpoint({ client, steps }: Desk): Promise<Answer> {
  const wanted = steps.reduce((sum, { entries }) => sum + entries.length, 0);
  return untilThere(`a checkpoint of ${wanted} entries`, async () => {
    const answer = await client.call(getCheckpoint);
    return Number(dataOf(answer).treeSize) >= wanted ? answer : null;
  });
}
