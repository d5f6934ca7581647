import { Readable } from 'node:stream';

/** Buffer for a reader that is slower than the warehouse. */
const BUFFERED_BYTES = 128 * 1024;
/** Passed on at once, so that a reader's progress is visible within a long chunk too. */
const HANDED_BYTES = 64 * 1024;

/**
 * The minimum pace of a reader, so that it cannot block a connection forever. Time spent on the warehouse does not
 * count.
 */
export interface Pace {
  /** Accumulated time of waiting for the reader, ms. */
  readonly windowMs: number;
  /** Minimum to read in each window. */
  readonly leastBytes: number;
}

interface PacedStreamOptions {
  readonly pace: Pace;
  /** Called once, when the stream has ended or failed, or was abandoned. */
  readonly onClose: () => void;
}

/**
 * The content with back-pressure: the next chunk is requested when there is room for it. If a reader is slower than the
 * minimum pace the stream fails, so that it is not taken for complete.
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
      // Not awaited: a chunk that is no longer needed may be in flight.
      void pieces.return?.().catch(() => undefined);
      done(error);
    },
  });
  return stream;
}

/** An empty chunk requests the next one at once, as the stream itself does. */
function push(stream: Readable, piece: Buffer): boolean {
  if (piece.length <= HANDED_BYTES) return stream.push(piece);
  let isRoom = true;
  for (let at = 0; at < piece.length; at += HANDED_BYTES)
    isRoom = stream.push(piece.subarray(at, at + HANDED_BYTES));
  return isRoom;
}

/** Checks after each window of waiting whether the reader has read enough since the last check. */
function watchPace({ windowMs, leastBytes }: Pace, giveUp: (error: Error) => void) {
  let timer: NodeJS.Timeout | undefined;
  let waitingSince: number | null = null;
  let waitedMs = 0;
  let pushed = 0;
  let readAtCheck = 0;
  const wait = (left: () => number): void => {
    // A reader that asks for a little each time would keep resetting a timer.
    if (waitedMs >= windowMs) {
      check(left);
      return;
    }
    waitingSince = performance.now();
    timer = setTimeout(() => check(left), windowMs - waitedMs).unref();
  };
  const check = (left: () => number): void => {
    const read = pushed - left();
    if (read - readAtCheck < leastBytes) {
      giveUp(
        new Error(
          `the client read ${read - readAtCheck} bytes in ${windowMs / 1_000} s; the minimum is ${leastBytes}`,
        ),
      );
      return;
    }
    readAtCheck = read;
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
