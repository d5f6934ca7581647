import { useMutation } from '@tanstack/react-query';
import { Button, Form } from 'react-aria-components';
import type { ConsistencyProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import { getCheckpoint, getConsistencyProof, listSigningKeys } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Api } from '../../api/call.ts';
import { Fault } from '../../api/fault.ts';
import type { ProofReport } from '../../proof/check-signal.ts';
import { Report } from '../../ui/evidence/report.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { LongField } from '../../ui/form/long-field.tsx';

interface Kept {
  readonly note: string;
  /** Empty: use the keys that the service lists. */
  readonly verifierKey: string;
}

/** Null: the service has no proof for these sizes, for example because entries are gone. */
async function proofBetween(api: Api, fromSize: number, toSize: number): Promise<ConsistencyProof | null> {
  try {
    const query = { fromSize, toSize };
    return (await api.call(getConsistencyProof, { query })).data;
  } catch (error) {
    if (error instanceof Fault && [400, 404].includes(error.status)) return null;
    throw error;
  }
}

async function check(api: Api, { note, verifierKey }: Kept): Promise<ProofReport> {
  const [keys, { data: newest }, checks] = await Promise.all([
    verifierKey === ''
      ? api.call(listSigningKeys).then(({ data }) => data.map(({ vkey }) => vkey))
      : [verifierKey],
    api.call(getCheckpoint),
    import('../../proof/check-checkpoint.ts'),
  ]);
  const kept = checks.readKept(note, keys);
  if (typeof kept === 'string')
    return { holds: false, steps: [{ what: 'Your checkpoint is signed', fault: kept }] };
  const proof = await proofBetween(api, kept.size, newest.treeSize);
  return checks.checkExtends(kept, newest.note, proof, keys);
}

/** Whether the current ledger extends a checkpoint that the user kept: computed in the browser. */
export function Consistency() {
  const api = useApi();
  const run = useMutation<ProofReport, Fault, Kept>({ mutationFn: (kept) => check(api, kept) });
  return (
    <section className="card tile" data-size="full" aria-labelledby="consistency">
      <header>
        <h2 id="consistency">Compare with a saved checkpoint</h2>
      </header>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          const sent = new FormData(event.currentTarget);
          const verifierKey = String(sent.get('verifierKey') ?? '').trim();
          run.mutate({ note: String(sent.get('note') ?? ''), verifierKey });
        }}
      >
        <LongField
          label="Checkpoint"
          name="note"
          rows={7}
          maxLength={4_096}
          isRequired
          description="The signed note from this page, an API response, an evidence package or an export."
        />
        <Field
          label="Verifier key"
          name="verifierKey"
          maxLength={512}
          autoComplete="off"
          description="Optional. Without it, this service’s published keys are used (weaker proof)."
        />
        <p>
          <Button type="submit" className="button primary" isDisabled={run.isPending}>
            {run.isPending ? 'Comparing…' : 'Compare'}
          </Button>
        </p>
      </Form>
      {run.error !== null && <FaultNote fault={run.error} />}
      {run.data !== undefined && (
        <div aria-live="polite">
          <Report
            report={run.data}
            good="The ledger extends your checkpoint; nothing before it changed"
            bad="The ledger doesn’t extend your checkpoint"
          />
        </div>
      )}
    </section>
  );
}
