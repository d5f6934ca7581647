import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { getReconciliation, getStats, getTimeseries, listSignals } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Api } from '../../api/call.ts';
import { openStream, type StreamState } from '../../api/stream.ts';
import { Feed, type FeedView } from './feed.ts';
import { pacedDraws } from './paced-draws.ts';

const RETRY_MS = 5_000;
/** Minimum time between refreshes of the numbers next to the feed, triggered by events. */
const REFRESH_MS = 5_000;
/** Signals that the feed starts with. */
const FIRST_ROWS = 20;

const COUNTED: readonly unknown[] = [getStats.path, getTimeseries.path, getReconciliation.path];

interface LiveFeedView extends FeedView {
  readonly state: StreamState;
}

const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Adds the newest signals, when the feed starts or has missed some. */
async function catchUp(api: Api, feed: Feed, signal: AbortSignal): Promise<void> {
  try {
    const query = { limit: FIRST_ROWS, rows: 'once' };
    const { data } = await api.call(listSignals, { query, signal });
    for (const one of data.toReversed()) feed.add(one);
  } catch {
    // The stream itself reports when the service is down.
  }
}

/** The stream's signals to show; also refreshes the page's numbers when the stream reports a change. */
export function useFeed(): { readonly view: LiveFeedView; show(): void; setPaused(isPaused: boolean): void } {
  const api = useApi();
  const queries = useQueryClient();
  const feed = useMemo(() => new Feed(), []);
  const [view, setView] = useState<LiveFeedView>(() => ({ ...feed.view(), state: 'connecting' }));
  const draw = useMemo(
    () =>
      (state?: StreamState): void => {
        feed.fill();
        setView((former) => ({ ...feed.view(), state: state ?? former.state }));
      },
    [feed],
  );
  useEffect(() => {
    const stopped = new AbortController();
    const draws = pacedDraws(draw, later, Date.now);
    let refreshedAt = 0;
    const start = (): void => void catchUp(api, feed, stopped.signal).then(() => draw());
    const stop = openStream(
      {
        onSignal: (signal) => {
          feed.add(signal);
          draws.changed();
        },
        onStats: () => {
          const now = Date.now();
          if (now - refreshedAt < REFRESH_MS) return;
          refreshedAt = now;
          void queries.invalidateQueries({ predicate: ({ queryKey }) => COUNTED.includes(queryKey[0]) });
        },
        onReset: () => {
          feed.noteGap();
          start();
        },
        onState: draw,
      },
      { open: (address) => new EventSource(address), page: document, later, retryMs: RETRY_MS },
    );
    start();
    return () => {
      stopped.abort();
      draws.stop();
      stop();
    };
  }, [api, queries, feed, draw]);
  return {
    view,
    show: () => {
      feed.show();
      draw();
    },
    setPaused: (isPaused) => {
      feed.setPaused(isPaused);
      draw();
    },
  };
}
