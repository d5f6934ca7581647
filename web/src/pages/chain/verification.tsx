import { useQueryClient } from '@tanstack/react-query';
import type { Verification as VerificationResult } from '#schemas/api/evidence/hash-chain.ts';
import { getVerification } from '#schemas/endpoints.ts';
import { exactNumber } from '../../format/numbers.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Verdict } from '../../ui/verdict.tsx';
import { Result } from './result.tsx';
import { isJob, useBegin, useJob, useQuickLook } from './use-verification.ts';
import { VerifyForm } from './verify-form.tsx';

interface VerificationProps {
  /** Of the address, so that whoever comes back, or gets it, sees the same; null: none was asked for. */
  readonly jobId: string | null;
  readonly onJob: (id: string) => void;
}

/** A verification that somebody asked for, as far as it is; without one, the quick look. */
export function Verification({ jobId, onJob }: VerificationProps) {
  const queries = useQueryClient();
  const job = useJob(jobId);
  const begin = useBegin((begun) => {
    queries.setQueryData([getVerification.path, begun.id], begun);
    onJob(begun.id);
  });
  const isGone = job.error?.status === 404;
  const quick = useQuickLook(jobId === null);
  const isRunning = begin.isPending || job.data?.status === 'RUNNING';
  const form = <VerifyForm isRunning={isRunning} onVerify={(query) => begin.mutate(query)} />;
  return (
    <div className="verification">
      {form}
      {begin.error !== null && <FaultNote fault={begin.error} />}
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
