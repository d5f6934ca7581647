import { eventIdOf, type LedgerPlace, type StreamEvent } from '#schemas/api/stream.ts';

/** Server-sent events as bytes. JSON has no line breaks of its own, so the data are always one line. */
export const frameOf = ({ event, data }: StreamEvent, place: LedgerPlace | null = null): Buffer => {
  const id = place === null ? '' : `id: ${eventIdOf(place)}\n`;
  return Buffer.from(`event: ${event}\n${id}data: ${JSON.stringify(data)}\n\n`);
};

/** Keeps proxies from taking the connection for a dead one. */
export const COMMENT = Buffer.from(':\n\n');

/** How long a client waits before it connects again. */
export const retryFrame = (ms: number): Buffer => Buffer.from(`retry: ${Math.round(ms)}\n\n`);
