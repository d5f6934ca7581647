import { open } from 'node:fs/promises';
import { openArchive } from '#core/evidence/package/archive.ts';
import { linesOf } from '#core/evidence/package/read-files.ts';
import { type EntryLine, entryLine } from '#schemas/api/evidence/evidence-package.ts';
import { archiveBytes } from '../../verify/verify-archive.ts';
import type { Desk, Step } from '../steps/desk.ts';

type Leaf = EntryLine['leaf'];

/** The entries of the ledger that a package holds, in their order. */
async function entriesOf(file: string): Promise<Leaf[]> {
  const handle = await open(file, 'r');
  try {
    const archive = await openArchive(await archiveBytes(handle));
    const leaves: Leaf[] = [];
    for await (const { value } of linesOf(archive, 'hash-chain/entries.ndjson', entryLine))
      leaves.push(value.leaf);
    return leaves;
  } finally {
    await handle.close();
  }
}

/** `4`, or `4 to 262` where there is no gap, or `266, 268`. */
function placesOf(leaves: readonly Leaf[]): string {
  const places = leaves.map(({ index }) => index).sort((one, other) => one - other);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  return places.length > 2 && last - first === places.length - 1 ? `${first} to ${last}` : places.join(', ');
}

/** Takes the entries of a step out of those that are left; null for one that is not there. */
function takeEntries({ entries }: Step, left: Map<string, Leaf>): (Leaf | null)[] {
  return entries.map(({ kind, id }) => {
    // An id that only the service knows: the oldest of its kind that no step has claimed.
    const key = id === null ? [...left].find(([, leaf]) => leaf.kind === kind)?.[0] : `${kind} ${id}`;
    const found = key === undefined ? undefined : left.get(key);
    if (key === undefined || found === undefined) return null;
    left.delete(key);
    return found;
  });
}

/** That the entries of a package, which verified, are those of the day's steps: all of them, and no others. */
export const showOnLedger = async ({ steps, show }: Desk, file: string): Promise<void> =>
  showSteps(steps, await entriesOf(file), show);

/** The same of entries that were read. */
export function showSteps(steps: readonly Step[], entries: readonly Leaf[], show: Desk['show']): void {
  const left = new Map(entries.map((leaf) => [`${leaf.kind} ${leaf.id}`, leaf]));
  for (const step of steps) {
    const taken = takeEntries(step, left);
    const found = taken.filter((leaf) => leaf !== null);
    const kinds = [...new Set(step.entries.map(({ kind }) => kind))].join(', ');
    const missing = taken.length - found.length;
    const places = found.length === 0 ? 'nowhere' : placesOf(found);
    show(
      `${step.what}: ${kinds} ${places}${missing === 0 ? '' : `; ${missing} of ${taken.length} are missing`}`,
      missing === 0,
    );
  }
  const others = [...left.values()].map(({ kind, index }) => `${kind} ${index}`);
  show(
    others.length === 0
      ? `these are all ${entries.length} entries of the ledger: it tells of nothing else`
      : `no step of the day explains ${others.join(', ')}`,
    others.length === 0,
  );
}
