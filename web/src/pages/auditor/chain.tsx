import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type {
  AuditorVerification,
  AuditorVerificationJob,
} from '#schemas/api/evidence/auditors/auditor-view.ts';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import {
  auditCheckpoint,
  auditHashChain,
  type auditSigningKeys,
  auditVerification,
} from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Api } from '../../api/call.ts';
import type { Fault } from '../../api/fault.ts';
import { wait } from '../../api/wait.ts';
import { VerifierKeys } from '../../ui/evidence/verifier-keys.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Checkpoint } from './checkpoint.tsx';
import { Verified } from './verified.tsx';

interface ChainProps {
  readonly keys: UseQueryResult<AnswerOf<typeof auditSigningKeys>, Fault>;
}

/** Poll interval of a long verification; each poll is a call on record. */
const JOB_MS = 5_000;

/** The result, or the job that verifies a long chain. */
async function verify(api: Api): Promise<AuditorVerification | AuditorVerificationJob> {
  type Started = AuditorVerification | AuditorVerificationJob;
  let { data } = (await api.call(auditHashChain)) as { readonly data: Started };
  while ('progress' in data && data.status === 'RUNNING') {
    await wait(JOB_MS);
    ({ data } = await api.call(auditVerification, { params: { id: data.id } }));
  }
  return 'progress' in data ? (data.result ?? data) : data;
}

/** Verifies the whole chain, whatever else the token shows. */
export function Chain({ keys }: ChainProps) {
  const api = useApi();
  const check = useMutation<AuditorVerification | AuditorVerificationJob, Fault, void>({
    mutationFn: () => verify(api),
  });
  const checkpoint = useMutation<AnswerOf<typeof auditCheckpoint>['data'], Fault, void>({
    mutationFn: async () => (await api.call(auditCheckpoint)).data,
  });
  return (
    <Tile title="Ledger" query={keys} size="full">
      {({ data }) => (
        <>
          <p>
            Every signal, incident, erasure and auditor request is recorded in a hash-chained ledger.
            Verification recomputes the hashes. For independent assurance, compare with a checkpoint you
            saved.
          </p>
          <div className="buttons">
            <Button className="button primary" isDisabled={check.isPending} onPress={() => check.mutate()}>
              {check.isPending ? 'Verifying…' : 'Verify ledger'}
            </Button>
            <Button className="button" isDisabled={checkpoint.isPending} onPress={() => checkpoint.mutate()}>
              {checkpoint.isPending ? 'Loading…' : 'Show latest checkpoint'}
            </Button>
          </div>
          <div aria-live="polite" className="report">
            {check.error !== null && <FaultNote fault={check.error} />}
            {check.data !== undefined && <Verified verified={check.data} />}
            {checkpoint.error !== null && <FaultNote fault={checkpoint.error} />}
            {checkpoint.data !== undefined && <Checkpoint checkpoint={checkpoint.data} keys={data} />}
          </div>
          <VerifierKeys keys={data} />
        </>
      )}
    </Tile>
  );
}
