import { useMutation } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { InclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { Signal } from '#schemas/api/signals.ts';
import {
  auditInclusionProof,
  auditSigningKeys,
  getInclusionProof,
  listSigningKeys,
} from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { exactNumber } from '../../format/numbers.ts';
import type { ProofReport } from '../../proof/check-signal.ts';
import { FaultNote } from '../fault-note.tsx';
import { saveJson } from '../save-file.ts';
import { Report } from './report.tsx';

interface Checked {
  readonly proof: InclusionProof;
  readonly report: ProofReport;
}

function Checks({ checked, signal }: { readonly checked: Checked; readonly signal: Signal }) {
  const { proof, report } = checked;
  return (
    <div aria-live="polite" className="report">
      <Report report={report} good="Recorded in the signed ledger and unchanged" bad="Verification failed" />
      <p className="muted">
        Entry {exactNumber(proof.leafIndex)} of {exactNumber(proof.treeSize)} ({proof.hashes.length}-step
        proof), checked with the key this service publishes. For independent assurance, compare it with a key
        you saved.
      </p>
      <Button className="button" onPress={() => saveJson(proof, `proof-${signal.id}.json`)}>
        Download proof
      </Button>
    </div>
  );
}

interface ProofProps {
  readonly signal: Signal;
  /** The request is an auditor's, not a customer's. */
  readonly isAuditor?: boolean;
}

/** The signal’s entry in the ledger, and its verification in the browser. */
export function Proof({ signal, isAuditor = false }: ProofProps) {
  const api = useApi();
  const check = useMutation<Checked, Fault, void>({
    mutationFn: async () => {
      const [{ data: proof }, keys, { checkSignal }] = await Promise.all([
        api.call(isAuditor ? auditInclusionProof : getInclusionProof, { query: { auditId: signal.auditId } }),
        api.call(isAuditor ? auditSigningKeys : listSigningKeys),
        import('../../proof/check-signal.ts'),
      ]);
      const verifierKeys = keys.data.map(({ vkey }) => vkey);
      return { proof, report: checkSignal(signal, proof, verifierKeys) };
    },
  });
  return (
    <section aria-label="Proof">
      <h3>Proof</h3>
      <dl className="facts">
        <div>
          <dt>Ledger entry</dt>
          <dd>{exactNumber(signal.index)}</dd>
        </div>
        <div>
          <dt>Hash</dt>
          <dd>
            <code>{signal.hash}</code>
          </dd>
        </div>
      </dl>
      {check.data !== undefined && <Checks checked={check.data} signal={signal} />}
      {check.error !== null && <FaultNote fault={check.error} />}
      <Button className="button" isDisabled={check.isPending} onPress={() => check.mutate()}>
        {check.isPending ? 'Verifying…' : 'Verify in browser'}
      </Button>
    </section>
  );
}
