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
      <Report
        report={report}
        good="This signal is in the signed ledger, unchanged"
        bad="The proof does not hold"
      />
      <p className="muted">
        Entry {exactNumber(proof.leafIndex)} of {exactNumber(proof.treeSize)}, {counted(proof.hashes.length)}{' '}
        to the root. Checked here, against a key that the service itself names: compare it with one that you
        kept.
      </p>
      <Button className="button" onPress={() => saveJson(proof, `proof-${signal.id}.json`)}>
        Download the proof
      </Button>
    </div>
  );
}

const counted = (hashes: number): string => (hashes === 1 ? '1 hash' : `${hashes} hashes`);

interface ProofProps {
  readonly signal: Signal;
  /** An auditor asks, and no customer. */
  readonly isAuditor?: boolean;
}

/** Where the signal stands in the ledger, and whether that can be proved. */
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
          <dt>index</dt>
          <dd>{exactNumber(signal.index)}</dd>
        </div>
        <div>
          <dt>hash</dt>
          <dd>
            <code>{signal.hash}</code>
          </dd>
        </div>
      </dl>
      {check.data !== undefined && <Checks checked={check.data} signal={signal} />}
      {check.error !== null && <FaultNote fault={check.error} />}
      <Button className="button" isDisabled={check.isPending} onPress={() => check.mutate()}>
        {check.isPending ? 'Checking' : 'Check the proof in this browser'}
      </Button>
    </section>
  );
}
