import { Readable } from 'node:stream';

/** What waits in memory for a reader that is slower than the warehouse. */
const BUFFERED_BYTES = 128 * 1024;

export interface PacedStreamOptions {
  /** A reader that takes nothing for so long is given up, so that it holds up nothing for ever. */
  readonly stallMs: number;
  /** Called once, when the stream has ended, failed, or was left. */
  readonly onClose: () => void;
}

/** The content at the pace of its reader: the next piece is asked for when there is room for it. */
export function pacedStream(
  content: AsyncIterable<Buffer>,
  { stallMs, onClose }: PacedStreamOptions,
): Readable {
  const pieces = content[Symbol.asyncIterator]();
  let stalled: NodeJS.Timeout | undefined;
  const stream: Readable = new Readable({
    highWaterMark: BUFFERED_BYTES,
    read() {
      clearTimeout(stalled);
      pieces.next().then(
        ({ done, value }) => {
          if (stream.destroyed) return;
          const isRoom = stream.push(done ? null : value);
          if (!isRoom && !done) stalled = setTimeout(giveUp, stallMs).unref();
        },
        (error: Error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      clearTimeout(stalled);
      onClose();
      // Not waited for: a piece may be under way that nobody wants.
      void pieces.return?.().catch(() => undefined);
      done(error);
    },
  });
  const giveUp = (): void => {
    stream.destroy(new Error(`the reader took nothing for ${stallMs / 1_000} s`));
  };
  return stream;
}
