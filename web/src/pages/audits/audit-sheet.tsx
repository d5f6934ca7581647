import type { Audit } from '#schemas/api/audits.ts';
import { counted } from '../../format/numbers.ts';
import { span } from '../../format/times.ts';
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
  if (erased) return <p>Its signal was erased; that it was accepted stays on record.</p>;
  if (status === 'FAILED')
    return (
      <>
        <p>
          <strong>{failureCode}</strong> {failureText(failureCode ?? '').what}
        </p>
        <PageLink to={`/dead-letters?open=${id}`}>Its dead letter, to replay it</PageLink>
      </>
    );
  if (riskLevel === undefined) return <p>Not there yet.</p>;
  return (
    <>
      <p className="sheet-summary">
        <Level level={riskLevel} /> {violations.join(', ') || 'no violation'}
      </p>
      <PageLink to={`/signals?open=${id}`}>Its signal</PageLink>
    </>
  );
}

function Parts({ audit }: { readonly audit: Audit }) {
  const { sandboxSlug, provider, model, source, attempts, createdAt, completedAt, durationMs } = audit;
  const facts: (readonly [name: string, value: string])[] = [
    ['provider', provider ?? 'not kept'],
    ['model', model ?? 'not kept'],
    ['source', source],
    ['attempts', counted(attempts, 'analysis begun', 'analyses begun')],
    ...(durationMs === undefined ? [] : [['took', span(durationMs)] as const]),
  ];
  return (
    <>
      <p className="sheet-summary" role="status">
        <AuditStatus status={audit.status} />
        {!isFinal(audit.status) && <span className="muted">followed until it ends</span>}
      </p>
      <section aria-label="Outcome">
        <h3>Outcome</h3>
        <Outcome audit={audit} />
      </section>
      <section aria-label="Steps">
        <h3>Steps</h3>
        <Steps steps={audit.steps} />
      </section>
      <section aria-label="Facts">
        <h3>Facts</h3>
        <dl className="facts">
          <div>
            <dt>sandbox</dt>
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
            <dt>accepted</dt>
            <dd>
              <Time at={createdAt} withAge />
            </dd>
          </div>
          {completedAt !== undefined && (
            <div>
              <dt>ended</dt>
              <dd>
                <Time at={completedAt} />
              </dd>
            </div>
          )}
        </dl>
        <p className="muted">
          The texts were sealed when the audit was accepted: no page and no answer shows them.
        </p>
      </section>
    </>
  );
}

/** One audit with the steps that it went through; followed while it is under way. */
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
          Loading
        </p>
      )}
      {data !== undefined && <Parts audit={data} />}
    </SideSheet>
  );
}
