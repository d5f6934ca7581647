import type { Signal } from '#schemas/api/signals.ts';
import { listSignals } from '#schemas/endpoints.ts';
import { signalsAddress } from '../../../address/signal-filters.ts';
import { useGet } from '../../../api/use-get.ts';
import { counted } from '../../../format/numbers.ts';
import { inSentence, label } from '../../../labels/label.ts';
import { CountLink } from '../../../ui/count-link.tsx';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { Level } from '../../../ui/level.tsx';
import { PageLink } from '../../../ui/page-link.tsx';
import { Time } from '../../../ui/time.tsx';

const LISTED = 5;

/** The newest signals in the same sandbox with the same first violation. */
export function Similar({ signal }: { readonly signal: Signal }) {
  const { id, sandboxSlug, violations } = signal;
  const [violation] = violations;
  const query = { sandboxSlug, violation, limit: LISTED + 1, rows: 'once' };
  const { data, error, refetch } = useGet(listSignals, { query, enabled: violation !== undefined });
  if (violation === undefined) return null;
  const others = (data?.data ?? []).filter((one) => one.id !== id).slice(0, LISTED);
  return (
    <section aria-label="Similar signals">
      <h3>Similar signals: {inSentence(label('violation', violation))} in this sandbox</h3>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <ul className="plain rows">
            {others.map((one) => (
              <li key={one.id}>
                <PageLink to={signalsAddress({ sandboxSlug, violation, open: one.id })}>
                  <Level level={one.riskLevel} /> <Time at={one.createdAt} />
                </PageLink>
              </li>
            ))}
          </ul>
          <p>
            <CountLink
              counted={{
                list: '/signals',
                filters: { sandboxSlug, violation },
                // Newer ones were not counted.
                dates: { from: undefined, to: data.data[0]?.createdAt },
              }}
              count={data.pagination.total}
            >
              View {data.pagination.total === 1 ? '' : 'all '}
              {counted(data.pagination.total, 'signal')}
            </CountLink>
          </p>
        </>
      )}
    </section>
  );
}
