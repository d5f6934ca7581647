import { ToggleButton } from 'react-aria-components';
import { counted, exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { Amount } from '../../ui/amount.tsx';
import { failureText } from '../../ui/audit/failures.ts';
import { Time } from '../../ui/time.tsx';
import type { ReasonCount } from './reasons.ts';

interface ReasonCardsProps {
  readonly reasons: readonly ReasonCount[];
  /** The reason that the list is filtered by. */
  readonly chosen: string | undefined;
  readonly onChoose: (reason: string | null) => void;
}

const SANDBOXES_SHOWN = 3;

/** Why audits failed, one card per reason: its meaning, whether a replay may help, and its count. */
export function ReasonCards({ reasons, chosen, onChoose }: ReasonCardsProps) {
  return (
    <ul className="plain tiles reasons" aria-label="Reasons">
      {reasons.map(({ reason, count, oldestAt, sandboxes }) => {
        const { what, advice } = failureText(reason);
        const rest = sandboxes.length - SANDBOXES_SHOWN;
        return (
          <li key={reason} className="card tile">
            <header>
              <h2>{label('failure', reason)}</h2>
              <ToggleButton
                className="button"
                isSelected={chosen === reason}
                data-count={count}
                onChange={(isChosen) => onChoose(isChosen ? reason : null)}
              >
                Filter<span className="hidden"> by {label('failure', reason)}</span>
              </ToggleButton>
            </header>
            <p className="headline">
              <Amount value={count} />{' '}
              <span className="unit">{count === 1 ? 'failed audit' : 'failed audits'}</span>
            </p>
            <p>
              {what} {advice}
            </p>
            <p className="muted">
              {sandboxes
                .slice(0, SANDBOXES_SHOWN)
                .map(({ slug, count: own }) => `${slug} (${exactNumber(own)})`)
                .join(', ')}
              {rest > 0 && ` and ${counted(rest, 'more sandbox', 'more sandboxes')}`}
            </p>
            <p className="muted">
              Oldest: <Time at={oldestAt} withAge />
            </p>
          </li>
        );
      })}
    </ul>
  );
}
