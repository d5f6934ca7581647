import type { Audit } from '#schemas/api/audits.ts';
import { exactNumber } from '../../format/numbers.ts';
import { span } from '../../format/times.ts';
import { label, violationsText } from '../../labels/label.ts';
import { AuditStatus, isFinal } from '../../ui/audit/audit-status.tsx';
import { failureText } from '../../ui/audit/failures.ts';
import { Steps } from '../../ui/audit/steps.tsx';
import { useAudit } from '../../ui/audit/use-audit.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Level } from '../../ui/level.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';

function Outcome({ audit }: { readonly audit: Audit }) {
  const { auditId, status, failureCode, riskLevel, erased, violations } = audit;
  const id = encodeURIComponent(auditId);
  if (erased) return <p>The signal was erased. The audit stays on record.</p>;
  if (status === 'FAILED')
    return (
      <>
        <p>
          <strong>{label('failure', failureCode ?? '')}.</strong> {failureText(failureCode ?? '').what}
        </p>
        <PageLink to={`/dead-letters?open=${id}`}>Open in Failed audits</PageLink>
      </>
    );
  if (riskLevel === undefined) return <p>Pending.</p>;
  return (
    <>
      <p className="sheet-summary">
        <Level level={riskLevel} /> {violationsText(violations)}
      </p>
      <PageLink to={`/signals?open=${id}`}>View signal</PageLink>
    </>
  );
}

function Parts({ audit }: { readonly audit: Audit }) {
  const { sandboxSlug, provider, model, source, attempts, createdAt, completedAt, durationMs } = audit;
  const facts: (readonly [name: string, value: string])[] = [
    ['Provider', provider ?? 'not recorded'],
    ['Model', model ?? 'not recorded'],
    ['Source', label('auditSource', source)],
    ['Attempts', exactNumber(attempts)],
    ...(durationMs === undefined ? [] : [['Duration', span(durationMs)] as const]),
  ];
  return (
    <>
      <p className="sheet-summary" role="status">
        <AuditStatus status={audit.status} />
        {!isFinal(audit.status) && <span className="muted">updates live</span>}
      </p>
      <section aria-label="Result">
        <h3>Result</h3>
        <Outcome audit={audit} />
      </section>
      <section aria-label="Timeline">
        <h3>Timeline</h3>
        <Steps steps={audit.steps} />
      </section>
      <section aria-label="Details">
        <h3>Details</h3>
        <dl className="facts">
          <div>
            <dt>Sandbox</dt>
            <dd>
              <PageLink to={`/sandboxes?open=${encodeURIComponent(sandboxSlug)}`}>{sandboxSlug}</PageLink>
            </dd>
          </div>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          <div>
            <dt>Accepted</dt>
            <dd>
              <Time at={createdAt} withAge />
            </dd>
          </div>
          {completedAt !== undefined && (
            <div>
              <dt>Finished</dt>
              <dd>
                <Time at={completedAt} />
              </dd>
            </div>
          )}
        </dl>
        <p className="muted">The text was encrypted on arrival and is never shown.</p>
      </section>
    </>
  );
}

/** One audit with its steps; updated while it is in progress. */
export function AuditSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useAudit(id);
  return (
    <SideSheet
      title={
        <>
          Audit <code>{id}</code>
        </>
      }
      onClose={onClose}
    >
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && <Parts audit={data} />}
    </SideSheet>
  );
}
