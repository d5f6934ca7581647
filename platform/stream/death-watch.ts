import { randomUUID } from 'node:crypto';
import type { Expiring } from '../state/port.ts';

/** A mark outlives the longest pause between a crash and the next start that still counts as the same trouble. */
const MARK_TTL_MS = 48 * 3_600_000;
/** Marks are written anew at this age, so that a partition owned for long never goes without one. */
const MARK_RENEWAL_MS = 24 * 3_600_000;
/** Deaths at one place after which records are taken singly. */
const DEATHS_UNTIL_SINGLE = 2;
/** Deaths of one and the same single record after which it is given up: one alone may be a kill from outside. */
const DEATHS_ALONE = 2;

interface Mark {
  /** Who wrote it: one assignment of the partition. It said goodbye when there is a value at its `left` key. */
  readonly owner: string;
  /** Deaths seen at this place. 0: the owner does not mark its pieces of work, anything may have been under way. */
  readonly deaths: number;
  /** Trouble is over from this offset on. */
  readonly until: number;
  /** The last piece of work: [position, end). */
  readonly position: number;
  readonly end: number;
  /** The piece was under way: unless the process says otherwise before it goes, it died. */
  readonly running: boolean;
  /** The piece was the record at `position` alone. */
  readonly single: boolean;
  /** Earlier deaths with this single record under way. */
  readonly alone: number;
}

/**
 * Notices records that kill the process. An owner writes one mark before its first batch of a partition and says
 * goodbye when it gives the partition up alive. Whoever finds the mark of an owner that never said goodbye takes the
 * records that may have been under way, up to the end of the log as it sees it, under a mark for each piece of work:
 * one before it, and one after it that tells it was survived, so that a later kill from outside is not blamed on the
 * records. Behind them a single mark does again.
 *
 * Owners share one mark per partition, the last one's, and each says goodbye at a key of its own. So a former owner
 * that wakes up late can say nothing in the name of the present one; at worst its late mark hides one death.
 */
export interface DeathWatch {
  /**
   * How to take the records from `position` on; `crashed`: the one there was under way at each death. `logEnd`: of the
   * partition, read after it was assigned.
   */
  look(position: number, logEnd: number): Promise<'batch' | 'single' | 'crashed'>;
  /** Does the work on [position, end), in the way that `look` said. */
  during<Result>(position: number, end: number, work: () => Promise<Result>): Promise<Result>;
  /** True while pieces of work are marked: then the next owner must find the offset where the last one ended. */
  careful(): boolean;
  /** The partition was given up alive: that is no death. */
  leave(): Promise<void>;
}

export interface DeathWatchOptions {
  readonly expiring: Expiring;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Unix ms. */
  readonly now: () => number;
}

export function deathWatch(options: DeathWatchOptions): DeathWatch {
  const { expiring, now } = options;
  const place = `${options.group}:${options.topic}:${options.partition}`;
  const key = `deaths:${place}`;
  const leftKey = (owner: string): string => `left:${place}:${owner}`;
  const me = randomUUID();
  let loaded = false;
  let deaths = 0;
  let until = 0;
  /** Record that was under way alone at earlier deaths, and how many there were. */
  let suspect = { position: -1, alone: 0 };
  let written: { readonly mark: Mark; readonly at: number } | null = null;

  const write = async (mark: Mark): Promise<void> => {
    await expiring.set(key, JSON.stringify(mark), MARK_TTL_MS);
    written = { mark, at: now() };
  };
  const load = async (position: number, logEnd: number): Promise<void> => {
    const text = await expiring.get(key);
    const mark = text === null ? null : (JSON.parse(text) as Mark);
    const died = mark !== null && (await expiring.get(leftKey(mark.owner))) === null;
    loaded = true;
    if (mark === null) return;
    if (mark.deaths === 0) {
      // Where it stood is not known, but what killed it was in the log by then, at or behind the committed offset.
      if (died) [deaths, until] = [1, logEnd];
      return;
    }
    if (position >= mark.until) return;
    const diedHere = died && mark.running && position <= mark.position;
    deaths = mark.deaths + (diedHere ? 1 : 0);
    // The second death happened within this piece, so nothing behind it need be taken singly.
    until = diedHere && mark.deaths + 1 === DEATHS_UNTIL_SINGLE ? mark.end : mark.until;
    suspect = { position: mark.position, alone: mark.alone + (diedHere && mark.single ? 1 : 0) };
  };
  /** The one mark that does while nothing is suspected. */
  const own = async (position: number): Promise<void> => {
    if (written?.mark.deaths === 0 && now() - written.at < MARK_RENEWAL_MS) return;
    const piece = { position, end: position, running: false, single: false, alone: 0 };
    await write({ owner: me, deaths: 0, until: position, ...piece });
  };

  return {
    look: async (position, logEnd) => {
      if (!loaded) await load(position, logEnd);
      if (position >= until) deaths = 0;
      if (deaths === 0) await own(position);
      if (deaths < DEATHS_UNTIL_SINGLE) return 'batch';
      if (suspect.position !== position || suspect.alone < DEATHS_ALONE) return 'single';
      // Once it is given up, the others of its batch are still taken singly: there may be a second such record.
      deaths = DEATHS_UNTIL_SINGLE;
      return 'crashed';
    },
    during: async (position, end, work) => {
      if (deaths === 0) return work();
      const single = deaths >= DEATHS_UNTIL_SINGLE;
      const alone = suspect.position === position ? suspect.alone : 0;
      const mark: Mark = { owner: me, deaths, until, position, end, running: true, single, alone };
      await write(mark);
      try {
        return await work();
      } finally {
        await write({ ...mark, running: false });
      }
    },
    careful: () => deaths > 0,
    leave: async () => {
      if (written === null) return;
      await expiring.set(leftKey(me), '1', MARK_TTL_MS);
      written = null;
    },
  };
}
