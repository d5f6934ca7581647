import { Readable } from 'node:stream';

/** Bytes waiting for all clients of a process together. */
export interface QueueBudget {
  readonly maxBytes: number;
  heldBytes: number;
}

interface QueueLimits {
  /** Maximum waiting for one client; a frame counts with its memory overhead. */
  readonly maxBytes: number;
  readonly maxFrames: number;
  /** A client that takes nothing for this long (ms) while something waits is disconnected. */
  readonly stalledMs: number;
}

interface EventQueueOptions {
  readonly limits: QueueLimits;
  readonly budget: QueueBudget;
  /** Any clock, ms. */
  readonly now: () => number;
  /** Called once, when nothing more will be sent. */
  readonly onClose: () => void;
  /** Called when the client is disconnected because it does not read. */
  readonly onOverflow: () => void;
}

/** Approximate memory of a frame besides its bytes. */
const FRAME_BYTES = 100;
/** Size of the stream's own buffer, in addition to what the queue counts. */
const BUFFERED_BYTES = 4 * 1024;
/** Time for the last bytes to reach a client when the stream ends. */
const END_MS = 1_000;

const sizeOf = (frame: Buffer): number => frame.length + FRAME_BYTES;

/**
 * Frames on their way to one client. The stream takes them as fast as the client reads. Waiting frames are bounded, per
 * client and for all clients of a process; a client that exceeds the bound is disconnected, and gets what it missed
 * when it reconnects. Clients share their frames, so most take no memory of their own.
 */
export class EventQueue {
  readonly stream: Readable;
  readonly #options: EventQueueOptions;
  readonly #frames: Buffer[] = [];
  #bytes = 0;
  #isWanted = false;
  #isClosed = false;
  #takenAt = 0;
  #onTaken: (() => void) | null = null;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    this.stream = new Readable({
      highWaterMark: BUFFERED_BYTES,
      read: () => {
        this.#isWanted = true;
        this.#pass();
      },
      destroy: (error, done) => {
        this.#close();
        done(error);
      },
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Sends a frame; if too much is waiting, disconnects the client instead. */
  send(frame: Buffer): void {
    const { maxBytes, maxFrames } = this.#options.limits;
    const isFull = this.#bytes + sizeOf(frame) > maxBytes || this.#frames.length >= maxFrames;
    this.#add(frame, isFull && this.#frames.length > 0);
  }

  /**
   * Sends more frames than may otherwise wait; the caller must await `drained` before the next page. The bound of the
   * whole process still applies.
   */
  sendPage(frames: readonly Buffer[]): void {
    for (const frame of frames) this.#add(frame, false);
  }

  /** Resolves when little is waiting, or when the queue is closed. One caller at a time. */
  async drained(): Promise<void> {
    while (this.isOpen && this.#bytes > this.#options.limits.maxBytes / 4)
      await new Promise<void>((resolve) => {
        this.#onTaken = resolve;
      });
  }

  /** Disconnects a client that has taken nothing for too long. */
  check(): void {
    if (this.#frames.length === 0 || this.#isClosed) return;
    if (this.#options.now() - this.#takenAt < this.#options.limits.stalledMs) return;
    this.#options.onOverflow();
    this.stream.destroy();
  }

  /** Ends the answer; waiting frames are dropped. */
  end(): void {
    if (this.#isClosed) return;
    this.#close();
    this.stream.push(null);
    // A client that does not read must not block the end.
    setTimeout(() => this.stream.destroy(), END_MS).unref();
  }

  #add(frame: Buffer, isFull: boolean): void {
    if (this.#isClosed) return;
    const { budget, now, onOverflow } = this.#options;
    const size = sizeOf(frame);
    if (isFull || budget.heldBytes + size > budget.maxBytes) {
      onOverflow();
      this.stream.destroy();
      return;
    }
    if (this.#frames.length === 0) this.#takenAt = now();
    this.#frames.push(frame);
    this.#bytes += size;
    budget.heldBytes += size;
    this.#pass();
  }

  #pass(): void {
    while (this.#isWanted) {
      const frame = this.#frames.shift();
      if (frame === undefined) return;
      this.#bytes -= sizeOf(frame);
      this.#options.budget.heldBytes -= sizeOf(frame);
      this.#takenAt = this.#options.now();
      this.#isWanted = this.stream.push(frame);
      this.#notifyTaken();
    }
  }

  #notifyTaken(): void {
    const notify = this.#onTaken;
    this.#onTaken = null;
    notify?.();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.budget.heldBytes -= this.#bytes;
    this.#frames.length = 0;
    this.#bytes = 0;
    this.#notifyTaken();
    this.#options.onClose();
  }
}
