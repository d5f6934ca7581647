import type { Signal } from '#schemas/api/signals.ts';
import { streamSignals } from '#schemas/endpoints.ts';
import { addressOf } from './call.ts';

export type StreamState = 'connecting' | 'live' | 'broken' | 'hidden';

interface StreamListener {
  onSignal(signal: Signal): void;
  /** The numbers changed. */
  onStats(): void;
  /** Signals were missed that will not be sent again. */
  onReset(): void;
  onState(state: StreamState): void;
}

interface Opened extends Pick<EventSource, 'close' | 'readyState'> {
  addEventListener(name: string, listener: (event: MessageEvent<string>) => void): void;
}

interface StreamOptions {
  readonly open: (address: string) => Opened;
  readonly page: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>;
  /** Calls once after this time; the returned function cancels it. */
  readonly later: (ms: number, call: () => void) => () => void;
  /** Pause before reopening a stream that the browser gave up. */
  readonly retryMs: number;
}

/** `EventSource.CLOSED`: the browser does not retry by itself. */
const CLOSED = 2;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * One stream of a customer's signals while the tab is visible: a hidden tab holds no connection, because browsers allow
 * only six per host. A restarted stream resumes after the last event seen. The returned function ends it.
 */
export function openStream(
  listener: StreamListener,
  { open, page, later, retryMs }: StreamOptions,
): () => void {
  let source: Opened | null = null;
  let lastId: string | null = null;
  let stopWaiting = (): void => undefined;
  const close = (): void => {
    stopWaiting();
    source?.close();
    source = null;
  };
  const note = ({ lastEventId }: MessageEvent<string>): void => {
    if (lastEventId !== '') lastId = lastEventId;
  };
  const start = (): void => {
    close();
    listener.onState('connecting');
    const own = open(addressOf(streamSignals, { query: { lastEventId: lastId ?? undefined } }));
    source = own;
    const on = (name: string, act: (event: MessageEvent<string>) => void): void =>
      own.addEventListener(name, (event) => {
        if (source !== own) return;
        note(event);
        act(event);
      });
    on('ready', () => listener.onState('live'));
    on('signal', ({ data }) => {
      const signal = parsed(data);
      if (signal !== null) listener.onSignal(signal as Signal);
    });
    on('stats', () => listener.onStats());
    on('reset', () => listener.onReset());
    own.addEventListener('error', () => {
      if (source !== own) return;
      listener.onState('broken');
      if (own.readyState === CLOSED) stopWaiting = later(retryMs, start);
    });
  };
  const follow = (): void => {
    if (page.visibilityState === 'visible') {
      if (source === null) start();
    } else {
      close();
      listener.onState('hidden');
    }
  };
  page.addEventListener('visibilitychange', follow);
  follow();
  return () => {
    page.removeEventListener('visibilitychange', follow);
    close();
  };
}
