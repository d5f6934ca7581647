import { randomUUID } from 'node:crypto';
import type { Expiring } from '#platform/state/port.ts';

/** Longest pause between a crash and the next start that still counts as the same incident. */
const MARK_TTL_MS = 48 * 3_600_000;
/** Marks are refreshed at this age, so that a partition with a long-lived owner always has one. */
const MARK_REFRESH_MS = 24 * 3_600_000;
/** After this many deaths at one position, records are processed one by one. */
const DEATHS_UNTIL_SINGLE = 2;
/** After this many deaths on the same single record, it is given up: one death may be a kill from outside. */
const DEATHS_ALONE = 2;

interface Mark {
  /** The assignment that wrote the mark. A value at its `left` key means that it exited cleanly. */
  readonly owner: string;
  /** Deaths at this position. 0: the owner does not mark its chunks, so any record may have been in progress. */
  readonly deaths: number;
  /** The suspect range ends at this offset. */
  readonly until: number;
  /** The last chunk of work: [position, end). */
  readonly position: number;
  readonly end: number;
  /** The chunk is in progress; if the process never clears this, it died. */
  readonly running: boolean;
  /** The chunk is only the record at `position`. */
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
 * Detects records that kill the process. An owner writes one mark before its first batch of a partition and records a
 * clean exit when it releases the partition alive. A new owner that finds a mark without a clean exit processes the
 * records that may have been in progress, up to the current end of the log. It then writes a mark before each chunk of
 * work, and one after it to show that the process survived, so that a later kill from outside is not blamed on the
 * records. After these records a single mark is enough again.
 *
 * Owners share one mark per partition, that of the latest owner, and each records its clean exit under its own key. So
 * a former owner that wakes up late cannot affect the current one; at worst its late mark hides one death.
 */
export class PoisonRecordDetection {
  readonly #expiring: Expiring;
  readonly #now: () => number;
  readonly #partitionKey: string;
  readonly #owner = randomUUID();
  #loaded = false;
  #deaths = 0;
  #until = 0;
  /** The single record that was in progress at earlier deaths, and the number of those deaths. */
  #suspect = { position: -1, alone: 0 };
  #written: { readonly mark: Mark; readonly at: number } | null = null;

  constructor({ expiring, now, group, topic, partition }: PoisonRecordOptions) {
    this.#expiring = expiring;
    this.#now = now;
    this.#partitionKey = `${group}:${topic}:${partition}`;
  }

  /**
   * How to process the records from `position` on. `crashed`: the record there was in progress at each death. `logEnd`:
   * end of the partition, read after it was assigned.
   */
  async modeAt(position: number, logEnd: number): Promise<'batch' | 'single' | 'crashed'> {
    if (!this.#loaded) await this.#load(position, logEnd);
    if (position >= this.#until) this.#deaths = 0;
    if (this.#deaths === 0) await this.#writeOwn(position);
    if (this.#deaths < DEATHS_UNTIL_SINGLE) return 'batch';
    if (this.#suspect.position !== position || this.#suspect.alone < DEATHS_ALONE) return 'single';
    // After giving up this record, process the rest of its batch one by one: there may be a second such record.
    this.#deaths = DEATHS_UNTIL_SINGLE;
    return 'crashed';
  }

  /** Runs the work on [position, end) in the mode that `look` returned. */
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

  /** True while chunks of work are marked: the next owner must then find the offset at which the last chunk ended. */
  isCareful(): boolean {
    return this.#deaths > 0;
  }

  /** Records that the partition was released alive, which is not a death. */
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
      // The position of the fatal record is unknown, but it was already in the log, at or after the committed offset.
      if (died) [this.#deaths, this.#until] = [1, logEnd];
      return;
    }
    if (position >= mark.until) return;
    const diedHere = died && mark.running && position <= mark.position;
    this.#deaths = mark.deaths + (diedHere ? 1 : 0);
    // The second death happened within this chunk, so later records need not be processed one by one.
    this.#until = diedHere && mark.deaths + 1 === DEATHS_UNTIL_SINGLE ? mark.end : mark.until;
    this.#suspect = { position: mark.position, alone: mark.alone + (diedHere && mark.single ? 1 : 0) };
  }

  /** Writes the single mark that is enough while no record is suspected. */
  async #writeOwn(position: number): Promise<void> {
    const written = this.#written;
    if (written?.mark.deaths === 0 && this.#now() - written.at < MARK_REFRESH_MS) return;
    const chunk = { position, end: position, running: false, single: false, alone: 0 };
    await this.#write({ owner: this.#owner, deaths: 0, until: position, ...chunk });
  }

  async #write(mark: Mark): Promise<void> {
    await this.#expiring.set(this.#key(), JSON.stringify(mark), MARK_TTL_MS);
    this.#written = { mark, at: this.#now() };
  }

  #key(): string {
    return `deaths:${this.#partitionKey}`;
  }

  #leftKey(owner: string): string {
    return `left:${this.#partitionKey}:${owner}`;
  }
}
