import { Readable } from 'node:stream';

/** What waits for clients in a process, all together. */
export interface QueueBudget {
  readonly maxBytes: number;
  heldBytes: number;
}

interface QueueLimits {
  /** What may wait for one client; a frame counts with some memory around it. */
  readonly maxBytes: number;
  readonly maxFrames: number;
  /** A client that takes nothing for so long while something waits is given up, ms. */
  readonly stalledMs: number;
}

interface EventQueueOptions {
  readonly limits: QueueLimits;
  readonly budget: QueueBudget;
  /** Monotonic or not, ms. */
  readonly now: () => number;
  /** Called once, when nothing more is sent. */
  readonly onClose: () => void;
  /** The client was given up because it does not read. */
  readonly onOverflow: () => void;
}

/** Memory of a frame besides its bytes, roughly. */
const FRAME_BYTES = 100;
/** In the stream's own buffer, beyond what the queue counts. */
const BUFFERED_BYTES = 4 * 1024;
/** How long the last bytes may take to a client when the stream ends. */
const END_MS = 1_000;

const sizeOf = (frame: Buffer): number => frame.length + FRAME_BYTES;

/**
 * Frames on their way to one client. The stream takes them as fast as the client reads; what waits is bounded, for the
 * client and for all clients of a process, and a client for which too much waits is disconnected: it comes again and
 * is given what it missed. Frames are shared by all clients that get them, so most take no memory of their own.
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

  /** Sends a frame; when too much waits already the client is disconnected instead. */
  send(frame: Buffer): void {
    const { maxBytes, maxFrames } = this.#options.limits;
    const isFull = this.#bytes + sizeOf(frame) > maxBytes || this.#frames.length >= maxFrames;
    this.#add(frame, isFull && this.#frames.length > 0);
  }

  /**
   * Sends frames that are more than may wait otherwise, by who awaits `drained` before it sends any more. Those of the
   * whole process are bounded all the same.
   */
  sendPage(frames: readonly Buffer[]): void {
    for (const frame of frames) this.#add(frame, false);
  }

  /** Resolves when little waits, or when the queue is closed. One caller at a time. */
  async drained(): Promise<void> {
    while (this.isOpen && this.#bytes > this.#options.limits.maxBytes / 4)
      await new Promise<void>((resolve) => {
        this.#onTaken = resolve;
      });
  }

  /** Gives a client up that has taken nothing for too long. */
  check(): void {
    if (this.#frames.length === 0 || this.#isClosed) return;
    if (this.#options.now() - this.#takenAt < this.#options.limits.stalledMs) return;
    this.#options.onOverflow();
    this.stream.destroy();
  }

  /** Ends the answer; what waits is not sent any more. */
  end(): void {
    if (this.#isClosed) return;
    this.#close();
    this.stream.push(null);
    // One that does not read holds nothing up.
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
      this.#tellTaken();
    }
  }

  #tellTaken(): void {
    const tell = this.#onTaken;
    this.#onTaken = null;
    tell?.();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.budget.heldBytes -= this.#bytes;
    this.#frames.length = 0;
    this.#bytes = 0;
    this.#tellTaken();
    this.#options.onClose();
  }
}
