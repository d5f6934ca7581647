import { streamSignals } from '#schemas/api/stream.ts';
import type { AddRoute } from '../../http/route.ts';
import type { SignalStreams } from './open-streams.ts';

/** Otherwise proxies buffer events until they have enough of them. */
const UNBUFFERED = { 'x-accel-buffering': 'no' };

export function streamRoutes(
  add: AddRoute,
  { signalStreams }: { readonly signalStreams: SignalStreams },
): void {
  add(streamSignals, async ({ caller, query, lastEventId, gone, hasLeft }) => {
    const { stream, end } = await signalStreams.open({
      caller,
      lastEventId: lastEventId() ?? query.lastEventId ?? null,
      gone,
      hasLeft,
    });
    return { stream, endStream: end, headers: UNBUFFERED };
  });
}
