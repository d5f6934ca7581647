import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Audit } from '#schemas/api/audits.ts';
import type { ReplayOutcome } from '#schemas/api/dead-letters.ts';
import { replayDeadLetter } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { label } from '../../labels/label.ts';
import { AuditStatus } from '../../ui/audit/audit-status.tsx';
import { failureText } from '../../ui/audit/failures.ts';
import { Steps } from '../../ui/audit/steps.tsx';
import { useAudit } from '../../ui/audit/use-audit.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { refusalText } from './refusals.ts';
import { useRefresh } from './use-refresh.ts';

interface ReplayProps {
  readonly audit: Audit;
  readonly isInProgress: boolean;
  readonly onReplayed: () => void;
}

function Replay({ audit, isInProgress, onReplayed }: ReplayProps) {
  const api = useApi();
  const refresh = useRefresh();
  const { auditId, status, attempts } = audit;
  // One key per failure: after another failure, a replay is a new one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: more attempts need another key
  const idempotencyKey = useMemo(newIdempotencyKey, [attempts]);
  const replay = useMutation<ReplayOutcome, Fault, void>({
    mutationFn: () => api.call(replayDeadLetter, { params: { id: auditId }, idempotencyKey }),
    onSuccess: ({ replayed }) => {
      if (replayed > 0) onReplayed();
      refresh();
    },
  });
  const refused = replay.data?.skipped[0];
  return (
    <section aria-label="Replay">
      <h3>Replay</h3>
      {replay.error !== null && <FaultNote fault={replay.error} />}
      <div role="status">
        {replay.data !== undefined && (
          <p>{refused === undefined ? 'Replay started.' : `Not replayed: ${refusalText(refused.reason)}.`}</p>
        )}
      </div>
      {status === 'FAILED' ? (
        <Button
          className="button primary"
          isDisabled={replay.isPending || isInProgress}
          onPress={() => replay.mutate()}
        >
          {replay.isPending || isInProgress ? 'Replaying…' : 'Replay audit'}
        </Button>
      ) : (
        <PageLink to={`/audits?open=${encodeURIComponent(auditId)}`}>No longer failed. View audit</PageLink>
      )}
    </section>
  );
}

/** One failed audit: why it failed, its timeline, and its replay. */
export function DeadLetterSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [replayedAt, setReplayedAt] = useState<number | null>(null);
  const { data, error, refetch } = useAudit(id, replayedAt);
  const text = failureText(data?.failureCode ?? '');
  return (
    <SideSheet
      title={
        <>
          Failed audit <code>{id}</code>
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
      {data !== undefined && (
        <>
          <p className="sheet-summary" role="status">
            <AuditStatus status={data.status} />
            {data.completedAt !== undefined && <Time at={data.completedAt} withAge />}
          </p>
          {data.failureCode !== undefined && (
            <section aria-label="Why it failed">
              <h3>Why it failed</h3>
              <p>
                <strong>{label('failure', data.failureCode)}.</strong> {text.what} {text.advice}
              </p>
            </section>
          )}
          <Replay
            audit={data}
            isInProgress={data.attempts === replayedAt}
            onReplayed={() => setReplayedAt(data.attempts)}
          />
          <section aria-label="Timeline">
            <h3>Timeline</h3>
            <Steps steps={data.steps} />
          </section>
        </>
      )}
    </SideSheet>
  );
}
