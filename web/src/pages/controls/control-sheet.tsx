import type { Attestation } from '#schemas/api/evidence/attestations.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { exactNumber } from '../../format/numbers.ts';
import { withLabels } from '../../labels/explanation.ts';
import { label } from '../../labels/label.ts';
import { BarList } from '../../ui/chart/bar-list.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { NOTICE_TEXT, STATUS_TEXTS } from './controls-order.ts';

interface ControlSheetProps {
  readonly control: Attestation;
  readonly onClose: () => void;
}

const MAX_CODES = 10;
const MARKS: Readonly<Record<string, string>> = { PASS: '✓', FAIL: '✗', NO_EVIDENCE: '–' };

function Checks({ checks }: Pick<Attestation, 'checks'>) {
  if (checks.length === 0) return null;
  return (
    <section aria-label="Checks">
      <h3>Checks</h3>
      <ul className="plain rows">
        {checks.map(({ name, outcome, reason }) => (
          <li key={name}>
            <span aria-hidden="true">{MARKS[outcome] ?? '–'}</span>{' '}
            <strong>{label('checkOutcome', outcome)}</strong> {label('check', name)}
            <p className="muted">{withLabels(reason)}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Samples({ sampleSignalIds }: Pick<Attestation, 'sampleSignalIds'>) {
  return (
    <section aria-label="Sample signals">
      <h3>Sample signals</h3>
      {sampleSignalIds.length === 0 ? (
        <p className="muted">No violations.</p>
      ) : (
        <>
          <ul className="plain rows">
            {sampleSignalIds.map((id) => (
              <li key={id}>
                <PageLink to={signalsAddress({ open: id })}>{id}</PageLink>
              </li>
            ))}
          </ul>
          <p className="muted">High and Critical first, then newest first.</p>
        </>
      )}
    </section>
  );
}

/** By a control's weight. */
const IMPORTANCE: Readonly<Record<number, string>> = { 1: 'Low', 2: 'Medium', 3: 'High' };

const Facts = ({ control }: Pick<ControlSheetProps, 'control'>) => (
  <dl className="facts">
    <div>
      <dt>Signals in scope</dt>
      <dd>
        {exactNumber(control.signalCount)}{' '}
        {control.scope === 'ALL' ? 'in all sandboxes' : 'in tagged sandboxes'}
      </dd>
    </div>
    <div>
      <dt>Violations</dt>
      <dd>{exactNumber(control.violationCount)}</dd>
    </div>
    <div>
      <dt>Unresolved incidents</dt>
      <dd>{exactNumber(control.openIncidents)}</dd>
    </div>
    <div>
      <dt>Importance</dt>
      <dd>{IMPORTANCE[control.weight] ?? control.weight}</dd>
    </div>
    <div>
      <dt>In force</dt>
      <dd>{control.appliesFrom === null ? 'yes' : `from ${control.appliesFrom}`}</dd>
    </div>
    <div>
      <dt>Catalog</dt>
      <dd>{control.catalogueVersion}</dd>
    </div>
    {control.generatedAt !== null && (
      <div>
        <dt>As of checkpoint</dt>
        <dd>
          <Time at={control.generatedAt} />
        </dd>
      </div>
    )}
  </dl>
);

/** One control: what is known about it, and from which signals. */
export function ControlSheet({ control, onClose }: ControlSheetProps) {
  const { framework, controlId, title, status, reason, violationsByCode } = control;
  const codes = Object.entries(violationsByCode).toSorted(([, a], [, b]) => b - a);
  return (
    <SideSheet title={`${label('framework', framework)} ${controlId}`} onClose={onClose}>
      <p>{title}</p>
      <p className="sheet-summary">
        <span className="plan control-status" data-status={status}>
          {label('controlStatus', status)}
        </span>
        <span className="muted">{STATUS_TEXTS[status] ?? ''}</span>
      </p>
      <p>{withLabels(reason)}</p>
      <Facts control={control} />
      {codes.length > 0 && (
        <section aria-label="Violations">
          <h3>Violations</h3>
          <div className="control-codes">
            <BarList
              max={MAX_CODES}
              rows={codes.map(([code, count]) => ({
                key: code,
                name: label('violation', code),
                count,
                // The control's further conditions are not filters of a list.
                counted: null,
              }))}
            />
          </div>
        </section>
      )}
      <Checks checks={control.checks} />
      <Samples sampleSignalIds={control.sampleSignalIds} />
      <p className="muted">{NOTICE_TEXT}</p>
    </SideSheet>
  );
}
