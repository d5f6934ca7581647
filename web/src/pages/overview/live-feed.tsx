import { memo } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import type { Signal } from '#schemas/api/signals.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import type { StreamState } from '../../api/stream.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { clockTime, fullTime } from '../../format/times.ts';
import { violationsText } from '../../labels/label.ts';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { useFeed } from './use-feed.ts';

const STATES: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  broken: 'Reconnecting…',
  hidden: 'Paused in background',
};

const FeedRow = memo(({ signal }: { readonly signal: Signal }) => (
  <li>
    <PageLink to={signalsAddress({ open: signal.id })} className="feed-row">
      <time dateTime={signal.createdAt} title={fullTime(signal.createdAt)}>
        {clockTime(signal.createdAt)}
      </time>
      <Level level={signal.riskLevel} />
      <span className="clip">{violationsText(signal.violations)}</span>
      <span className="clip muted">{signal.sandboxSlug}</span>
      <span className="clip muted">{signal.model}</span>
    </PageLink>
  </li>
));

/** Signals as they are stored. New ones wait above, so that nothing moves under the pointer. */
export function LiveFeed() {
  const { view, show, setPaused } = useFeed();
  return (
    <section className="card tile" data-size="full" aria-labelledby="feed-title">
      <header>
        <h2 id="feed-title">Live signals</h2>
        <span className="fresh" data-behind={view.state !== 'live'} role="status">
          {STATES[view.state]}
        </span>
        <ToggleButton className="button" isSelected={view.isPaused} onChange={setPaused}>
          Pause
        </ToggleButton>
      </header>
      {view.hasGap && (
        <p className="stale-note">
          Too many to show live. <PageLink to="/signals">See all in Signals</PageLink>
        </p>
      )}
      {view.waiting > 0 && (
        <Button className="button new-rows" onPress={() => (view.isPaused ? setPaused(false) : show())}>
          Show {exactNumber(view.waiting)} new
        </Button>
      )}
      {view.rows.length === 0 ? (
        <p className="muted">
          {view.waiting > 0 ? `${counted(view.waiting, 'signal')} waiting` : 'Waiting for signals…'}
        </p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <section className="scroll" aria-label="Signals, newest first" tabIndex={0}>
          <ul className="plain feed">
            {view.rows.map((signal) => (
              <FeedRow key={signal.id} signal={signal} />
            ))}
          </ul>
        </section>
      )}
    </section>
  );
}
