import { eventIdOf, type LedgerPosition, type StreamEvent } from '#schemas/api/stream.ts';

/** Server-sent events as bytes. JSON contains no line breaks, so the data is always one line. */
export const frameOf = ({ event, data }: StreamEvent, position: LedgerPosition | null = null): Buffer => {
  const id = position === null ? '' : `id: ${eventIdOf(position)}\n`;
  return Buffer.from(`event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`);
};

/** Keeps proxies from closing an idle connection. */
export const COMMENT = Buffer.from(':\n\n');

/** How long a client waits before it reconnects. */
export const retryFrame = (ms: number): Buffer => Buffer.from(`retry: ${Math.round(ms)}\n\n`);
