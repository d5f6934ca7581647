import { readFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { getCheckpoint } from '#schemas/endpoints.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Answer, Client } from '../command/client.ts';
import { print } from '../command/output.ts';

const WITHIN_MS = 120_000;
const POLL_MS = 250;

/** State shared by the stops of the tour. */
export interface Tour {
  readonly client: Client;
  /** Headers that `client` sends, for downloads. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where responses are saved, for `cas verify`. */
  readonly folder: string;
  /** The service's key, in the form for `cas verify --key`. */
  readonly vkey: string;
  /** Entries expected in the ledger so far, by kind; each stop adds its own. */
  readonly entries: Map<LedgerKind, number>;
  /** Prints a statement and whether it holds. */
  check(what: string, holds: boolean): void;
}

export const heading = (text: string): void => print(`\n${text}`);
export const note = (text: string): void => print(`       ${text}`);

/** `data` of a response. */
export const dataOf = <T>(answer: Answer): T => answer.body.data as unknown as T;

export function addEntries({ entries }: Tour, kind: LedgerKind, count: number): void {
  entries.set(kind, (entries.get(kind) ?? 0) + count);
}

export const expectedEntries = ({ entries }: Tour): number =>
  [...entries.values()].reduce((sum, count) => sum + count, 0);

/** Polls until `ask` returns something other than null; `what` names it in the error. */
export async function waitFor<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    if (Date.now() > deadline) throw new Error(`${what}: not within ${WITHIN_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Waits until the signed checkpoint covers all entries so far. */
export async function coveringCheckpoint(tour: Tour): Promise<void> {
  const expected = expectedEntries(tour);
  await waitFor(`a checkpoint of ${expected} entries`, async () => {
    const { treeSize } = dataOf<{ treeSize: number }>(await tour.client.call(getCheckpoint));
    return treeSize >= expected ? treeSize : null;
  });
}

/** The example triplets, one line of JSON each. */
export const exampleLines = (): string[] =>
  readFileSync(path.join(packageRoot(), 'examples', 'triplets.ndjson'), 'utf8')
    .trim()
    .split('\n');
