import type { Expiring } from '../state/port.ts';

/** A mark outlives the longest pause between a crash and the next start that still counts as the same trouble. */
const MARK_TTL_MS = 24 * 3_600_000;
/** Deaths at one place after which records are taken singly. */
const DEATHS_UNTIL_SINGLE = 2;
/** Deaths of one and the same single record after which it is given up: one alone may be a kill from outside. */
const DEATHS_ALONE = 2;

interface Mark {
  /** Offset that the work began at: the group's position. */
  readonly position: number;
  /** End of the batch that was under way at the first death; trouble is over behind it. */
  readonly until: number;
  readonly deaths: number;
  /** Work was under way: unless the process says otherwise before it goes, it died. */
  readonly running: boolean;
  /** Only the record at `position` was under way. */
  readonly single: boolean;
  /** Earlier deaths with this single record under way. */
  readonly alone: number;
}

/**
 * Notices records that kill the process. Before each piece of work a mark is written; an owner of the partition that
 * finds one at the very position it begins at knows that an earlier one died there. One small write per batch, and
 * none to clear it: as soon as the position moves the mark means nothing. Only where a death was seen already, a
 * second write tells that the work was survived, so that a later kill from outside is not blamed on the records.
 */
export interface DeathWatch {
  /** How to take the records from `position` on; `crashed`: the one there was under way at each death. */
  look(position: number): Promise<'batch' | 'single' | 'crashed'>;
  /** Does the work on [position, end), in the way that `look` said, under a mark. */
  during<Result>(position: number, end: number, work: () => Promise<Result>): Promise<Result>;
  /** The work was given up alive (partition lost, stop): that is no death. */
  leave(): Promise<void>;
}

export function deathWatch(expiring: Expiring, group: string, topic: string, partition: number): DeathWatch {
  const key = `deaths:${group}:${topic}:${partition}`;
  let loaded = false;
  let deaths = 0;
  let until = 0;
  /** Record that was under way alone at earlier deaths, and how many there were. */
  let suspect = { position: -1, alone: 0 };
  let written: Mark | null = null;

  const load = async (position: number): Promise<void> => {
    const text = await expiring.get(key);
    loaded = true;
    const mark = text === null ? null : (JSON.parse(text) as Mark);
    if (mark?.position !== position) return;
    deaths = mark.deaths + (mark.running ? 1 : 0);
    until = mark.until;
    suspect = { position, alone: mark.alone + (mark.running && mark.single ? 1 : 0) };
  };
  const write = (mark: Mark): Promise<void> => expiring.set(key, JSON.stringify(mark), MARK_TTL_MS);

  const leave = async (): Promise<void> => {
    if (written === null) return;
    if (written.deaths === 0) await expiring.delete(key);
    else await write({ ...written, running: false });
    written = null;
  };

  return {
    look: async (position) => {
      if (!loaded) await load(position);
      if (position >= until) deaths = 0;
      if (deaths < DEATHS_UNTIL_SINGLE) return 'batch';
      if (suspect.position !== position || suspect.alone < DEATHS_ALONE) return 'single';
      // Once it is given up, the others of its batch are still taken singly: there may be a second such record.
      deaths = DEATHS_UNTIL_SINGLE;
      return 'crashed';
    },
    during: async (position, end, work) => {
      const single = deaths >= DEATHS_UNTIL_SINGLE;
      if (!single) until = deaths === 0 ? end : Math.max(until, end);
      const alone = suspect.position === position ? suspect.alone : 0;
      written = { position, until, deaths, running: true, single, alone };
      await write(written);
      try {
        return await work();
      } finally {
        if (deaths > 0) await leave();
      }
    },
    leave,
  };
}
