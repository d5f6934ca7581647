import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { withLabels } from '../../labels/explanation.ts';
import { label } from '../../labels/label.ts';
import { useRowKeys } from '../../ui/list/use-row-keys.ts';
import { PageLink } from '../../ui/page-link.tsx';
import { openOf } from './controls-order.ts';

interface ControlListProps {
  readonly rows: readonly Attestation[];
  readonly open: string | null;
  readonly addressOf: (open: string) => string;
}

export function ControlList({ rows, open, addressOf }: ControlListProps) {
  const list = useRowKeys<HTMLUListElement>();
  return (
    <ul className="list-rows" ref={list} aria-label="Controls, gaps first">
      {rows.map((control) => {
        const { id, framework, controlId, title, status, reason } = control;
        const { violationCount, signalCount, openIncidents, evidenceType } = control;
        return (
          <li key={id}>
            <PageLink
              to={addressOf(openOf(control))}
              className="list-row control-row"
              isRow
              isCurrent={openOf(control) === open}
            >
              <span>
                <span className="plan control-status" data-status={status}>
                  {label('controlStatus', status)}
                </span>
              </span>
              <span>
                <strong>
                  {label('framework', framework)} {controlId}
                </strong>{' '}
                {title}
              </span>
              <span className="muted">
                {withLabels(reason)}
                {evidenceType !== 'OPERATIONAL' &&
                  ` · ${exactNumber(violationCount)} of ${counted(signalCount, 'signal')} ${violationCount === 1 ? 'violates' : 'violate'} it`}
                {openIncidents > 0 && ` · ${counted(openIncidents, 'unresolved incident')}`}
              </span>
            </PageLink>
          </li>
        );
      })}
    </ul>
  );
}
