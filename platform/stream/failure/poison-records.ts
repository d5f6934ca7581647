import { randomUUID } from 'node:crypto';
import type { Expiring } from '#platform/state/port.ts';

/** Longest pause between a crash and the next start that still counts as the same incident. */
const MARK_TTL_MS = 48 * 3_600_000;
/** Marks are renewed at this age, so that a partition with a long-lived owner always has one. */
const MARK_RENEWAL_MS = 24 * 3_600_000;
/** Deaths at one place after which records are processed one by one. */
const DEATHS_UNTIL_SINGLE = 2;
/** Deaths on the same single record after which it is given up: one may be a kill from outside. */
const DEATHS_ALONE = 2;

interface Mark {
  /** The assignment that wrote it. It said goodbye if there is a value at its `left` key. */
  readonly owner: string;
  /** Deaths seen at this place. 0: the owner does not mark its chunks, so any record may have been in progress. */
  readonly deaths: number;
  /** The suspect range ends at this offset. */
  readonly until: number;
  /** The last chunk of work: [position, end). */
  readonly position: number;
  readonly end: number;
  /** The chunk was in progress: unless the process clears this before it goes, it died. */
  readonly running: boolean;
  /** The chunk was only the record at `position`. */
  readonly single: boolean;
  /** Earlier deaths while this single record was in progress. */
  readonly alone: number;
}

interface PoisonRecordOptions {
  readonly expiring: Expiring;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Unix ms. */
  readonly now: () => number;
}

/**
 * Detects records that kill the process. An owner writes one mark before its first batch of a partition and says
 * goodbye when it releases the partition alive. A new owner that finds a mark without a goodbye processes the records
 * that may have been in progress, up to the current end of the log, with a mark for each chunk of work: one before it,
 * and one after it to show that it was survived, so that a later kill from outside is not blamed on the records. After
 * them a single mark is enough again.
 *
 * Owners share one mark per partition, the latest owner's, and each says goodbye under its own key. So a former owner
 * that wakes up late cannot speak for the current one; at worst its late mark hides one death.
 */
export class PoisonRecordDetection {
  readonly #expiring: Expiring;
  readonly #now: () => number;
  readonly #place: string;
  readonly #owner = randomUUID();
  #loaded = false;
  #deaths = 0;
  #until = 0;
  /** Record that was alone in progress at earlier deaths, and the number of those deaths. */
  #suspect = { position: -1, alone: 0 };
  #written: { readonly mark: Mark; readonly at: number } | null = null;

  constructor({ expiring, now, group, topic, partition }: PoisonRecordOptions) {
    this.#expiring = expiring;
    this.#now = now;
    this.#place = `${group}:${topic}:${partition}`;
  }

  /**
   * How to process the records from `position` on; `crashed`: the record there was in progress at each death. `logEnd`:
   * end of the partition, read after it was assigned.
   */
  async look(position: number, logEnd: number): Promise<'batch' | 'single' | 'crashed'> {
    if (!this.#loaded) await this.#load(position, logEnd);
    if (position >= this.#until) this.#deaths = 0;
    if (this.#deaths === 0) await this.#writeOwn(position);
    if (this.#deaths < DEATHS_UNTIL_SINGLE) return 'batch';
    if (this.#suspect.position !== position || this.#suspect.alone < DEATHS_ALONE) return 'single';
    // After it is given up, the rest of its batch is still processed one by one: there may be a second such record.
    this.#deaths = DEATHS_UNTIL_SINGLE;
    return 'crashed';
  }

  /** Runs the work on [position, end) in the way that `look` returned. */
  async during<Result>(position: number, end: number, work: () => Promise<Result>): Promise<Result> {
    const deaths = this.#deaths;
    if (deaths === 0) return work();
    const single = deaths >= DEATHS_UNTIL_SINGLE;
    const alone = this.#suspect.position === position ? this.#suspect.alone : 0;
    const chunk = { position, end, running: true, single, alone };
    const mark: Mark = { owner: this.#owner, deaths, until: this.#until, ...chunk };
    await this.#write(mark);
    try {
      return await work();
    } finally {
      await this.#write({ ...mark, running: false });
    }
  }

  /** True while chunks of work are marked: then the next owner must find the offset at which the last chunk ended. */
  careful(): boolean {
    return this.#deaths > 0;
  }

  /** The partition was released alive: that is not a death. */
  async leave(): Promise<void> {
    if (this.#written === null) return;
    await this.#expiring.set(this.#leftKey(this.#owner), '1', MARK_TTL_MS);
    this.#written = null;
  }

  async #load(position: number, logEnd: number): Promise<void> {
    const text = await this.#expiring.get(this.#key());
    const mark = text === null ? null : (JSON.parse(text) as Mark);
    const died = mark !== null && (await this.#expiring.get(this.#leftKey(mark.owner))) === null;
    this.#loaded = true;
    if (mark === null) return;
    if (mark.deaths === 0) {
      // Its position is unknown, but what killed it was already in the log, at or after the committed offset.
      if (died) [this.#deaths, this.#until] = [1, logEnd];
      return;
    }
    if (position >= mark.until) return;
    const diedHere = died && mark.running && position <= mark.position;
    this.#deaths = mark.deaths + (diedHere ? 1 : 0);
    // The second death happened within this chunk, so nothing after it need be processed one by one.
    this.#until = diedHere && mark.deaths + 1 === DEATHS_UNTIL_SINGLE ? mark.end : mark.until;
    this.#suspect = { position: mark.position, alone: mark.alone + (diedHere && mark.single ? 1 : 0) };
  }

  /** The single mark that is enough while nothing is suspected. */
  async #writeOwn(position: number): Promise<void> {
    const written = this.#written;
    if (written?.mark.deaths === 0 && this.#now() - written.at < MARK_RENEWAL_MS) return;
    const chunk = { position, end: position, running: false, single: false, alone: 0 };
    await this.#write({ owner: this.#owner, deaths: 0, until: position, ...chunk });
  }

  async #write(mark: Mark): Promise<void> {
    await this.#expiring.set(this.#key(), JSON.stringify(mark), MARK_TTL_MS);
    this.#written = { mark, at: this.#now() };
  }

  #key(): string {
    return `deaths:${this.#place}`;
  }

  #leftKey(owner: string): string {
    return `left:${this.#place}:${owner}`;
  }
}
