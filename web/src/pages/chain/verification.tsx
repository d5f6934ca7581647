import { useQueryClient } from '@tanstack/react-query';
import type { Verification as VerificationResult } from '#schemas/api/evidence/hash-chain.ts';
import { getVerification } from '#schemas/endpoints.ts';
import { exactNumber } from '../../format/numbers.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { Result } from './result.tsx';
import { isJob, useJob, useQuickCheck, useStartVerification } from './use-verification.ts';
import { VerifyForm } from './verify-form.tsx';

interface VerificationProps {
  /**
   * From the address, so that returning to it or sharing it shows the same; null when no verification was requested.
   */
  readonly jobId: string | null;
  readonly onJob: (id: string) => void;
}

/** The progress or result of a requested verification; without one, the quick check. */
export function Verification({ jobId, onJob }: VerificationProps) {
  const queries = useQueryClient();
  const job = useJob(jobId);
  const start = useStartVerification((started) => {
    queries.setQueryData([getVerification.path, started.id], started);
    onJob(started.id);
  });
  const isGone = job.error?.status === 404;
  const quick = useQuickCheck(jobId === null);
  const isRunning = start.isPending || job.data?.status === 'RUNNING';
  const form = <VerifyForm isRunning={isRunning} onVerify={(query) => start.mutate(query)} />;
  return (
    <div className="verification">
      {form}
      {start.error !== null && <FaultNote fault={start.error} />}
      {jobId === null ? (
        <Tile title="Latest check" size="full" query={quick}>
          {(data) =>
            isJob(data) ? <p>The ledger is large. Start a verification above.</p> : <Result data={data} />
          }
        </Tile>
      ) : (
        <Tile
          title="Verification"
          size="full"
          query={job}
          emptyOf={() => (isGone ? <p>This verification is no longer available. Start another.</p> : null)}
        >
          {({ status, progress, checkedEntries, totalEntries, result, failure }) => (
            <>
              {status === 'RUNNING' && (
                <Progress label="Verified" share={progress}>
                  {`, ${exactNumber(checkedEntries)} of ${exactNumber(totalEntries)} entries`}
                </Progress>
              )}
              {status === 'FAILED' && (
                <Verdict isGood={false}>Verification didn’t finish: {failure ?? 'start another'}</Verdict>
              )}
              {result !== null && <Result data={result as VerificationResult} />}
            </>
          )}
        </Tile>
      )}
    </div>
  );
}
