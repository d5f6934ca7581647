import type { ShownPattern } from '#schemas/api/evidence/correlations.ts';
import type { Signal } from '#schemas/api/signals.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { counted } from '../../format/numbers.ts';
import { fullTime } from '../../format/times.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Level, LevelShape } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { Time } from '../../ui/time.tsx';
import { inParts } from './patterns.ts';
import { usePatternSignals } from './use-pattern-signals.ts';

/** As many as fit into a sheet, each large enough for a finger. */
const PARTS = 12;
/** Signals drawn per part; the others are counted, and are in the list. */
const DRAWN = 6;

function Picture({ signals }: { readonly signals: readonly Signal[] }) {
  return (
    <ol className="time-line" aria-label="Signals over time">
      {inParts(signals, PARTS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position
        <li key={index}>
          {part.length > DRAWN && <span className="muted">+{part.length - DRAWN}</span>}
          {part.slice(0, DRAWN).map(({ id, riskLevel, createdAt }) => (
            <PageLink
              key={id}
              to={signalsAddress({ open: id })}
              className="time-line-signal"
              label={`${label('riskLevel', riskLevel)}, ${fullTime(createdAt)}`}
            >
              <LevelShape level={riskLevel} />
            </PageLink>
          ))}
        </li>
      ))}
    </ol>
  );
}

/** A pattern's signals over time; each can be opened. */
export function TimeLine({ pattern }: { readonly pattern: ShownPattern }) {
  const { data: signals = [], error, isPending, refetch } = usePatternSignals(pattern);
  const { signalIds, count, firstSeen, lastSeen } = pattern;
  const timed = new Set(signals.map(({ id }) => id));
  const others = signalIds.filter((id) => !timed.has(id));
  return (
    <section aria-label="Signals">
      <h3>Signals</h3>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {isPending && signalIds.length > 0 && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {signals.length > 0 && (
        <>
          <Picture signals={signals} />
          <p className="time-line-ends muted">
            <Time at={firstSeen} />
            <Time at={lastSeen} />
          </p>
        </>
      )}
      <details>
        <summary>View as list ({counted(signalIds.length, 'signal')})</summary>
        <ul className="plain rows">
          {signals
            .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
            .map(({ id, createdAt, riskLevel, sandboxSlug }) => (
              <li key={id}>
                <PageLink to={signalsAddress({ open: id })}>
                  <Level level={riskLevel} /> <Time at={createdAt} />
                </PageLink>{' '}
                <span className="muted">{sandboxSlug}</span>
              </li>
            ))}
          {!isPending &&
            others.map((id) => (
              <li key={id}>
                <PageLink to={signalsAddress({ open: id })}>{id}</PageLink>
              </li>
            ))}
        </ul>
      </details>
      {count > signalIds.length && (
        <p className="muted">
          Showing the first {signalIds.length} of {counted(count, 'signal')}.
        </p>
      )}
    </section>
  );
}
