import { Readable } from 'node:stream';

/** What waits in memory for a reader that is slower than the warehouse. */
const BUFFERED_BYTES = 128 * 1024;
/** What is handed on in one go, so that a reader's progress is seen within a long piece too. */
const HANDED_BYTES = 64 * 1024;

/** What a reader has to take, so that it holds up nothing for ever. The time that the warehouse takes is not its own. */
export interface Pace {
  /** Time that passes with waiting for the reader, summed up, ms. */
  readonly windowMs: number;
  /** What it takes in each such window at least. */
  readonly leastBytes: number;
}

export interface PacedStreamOptions {
  readonly pace: Pace;
  /** Called once, when the stream has ended, failed, or was left. */
  readonly onClose: () => void;
}

/**
 * The content at the pace of its reader: the next piece is asked for when there is room for it. A reader that falls
 * behind the least pace is given up: the stream fails, so that nobody takes what arrived for whole.
 */
export function pacedStream(content: AsyncIterable<Buffer>, { pace, onClose }: PacedStreamOptions): Readable {
  const pieces = content[Symbol.asyncIterator]();
  const watch = watchPace(pace, (error) => stream.destroy(error));
  const stream: Readable = new Readable({
    highWaterMark: BUFFERED_BYTES,
    read() {
      watch.asked();
      pieces.next().then(
        ({ done, value }) => {
          if (stream.destroyed) return;
          const isRoom = done ? stream.push(null) : push(stream, value);
          watch.pushed(done ? 0 : value.length);
          if (!isRoom && !done) watch.waits(() => stream.readableLength);
        },
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      watch.stop();
      onClose();
      // Not waited for: a piece may be under way that nobody wants.
      void pieces.return?.().catch(() => undefined);
      done(error);
    },
  });
  return stream;
}

/** An empty piece asks for the next one at once, as the stream does by itself. */
function push(stream: Readable, piece: Buffer): boolean {
  if (piece.length <= HANDED_BYTES) return stream.push(piece);
  let isRoom = true;
  for (let at = 0; at < piece.length; at += HANDED_BYTES)
    isRoom = stream.push(piece.subarray(at, at + HANDED_BYTES));
  return isRoom;
}

/** Looks at the end of each window of waiting whether the reader has taken enough since the last look. */
function watchPace({ windowMs, leastBytes }: Pace, giveUp: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  let waitingSince: number | null = null;
  let waitedMs = 0;
  let pushed = 0;
  let takenAtLook = 0;
  const wait = (left: () => number): void => {
    // A timer alone would be cleared again and again by a reader that asks for a little each time.
    if (waitedMs >= windowMs) {
      look(left);
      return;
    }
    waitingSince = performance.now();
    timer = setTimeout(() => look(left), windowMs - waitedMs).unref();
  };
  const look = (left: () => number): void => {
    const taken = pushed - left();
    if (taken - takenAtLook < leastBytes) {
      giveUp(
        new Error(`the reader took ${taken - takenAtLook} of ${leastBytes} bytes in ${windowMs / 1_000} s`),
      );
      return;
    }
    takenAtLook = taken;
    waitedMs = 0;
    wait(left);
  };
  return {
    pushed: (bytes: number): void => {
      pushed += bytes;
    },
    waits: wait,
    asked: (): void => {
      clearTimeout(timer);
      if (waitingSince !== null) waitedMs += performance.now() - waitingSince;
      waitingSince = null;
    },
    stop: (): void => clearTimeout(timer),
  };
}
