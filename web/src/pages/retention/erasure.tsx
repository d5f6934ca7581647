import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import type { ErasureReceipt, SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { getErasure, listSigningKeys } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { saveJson } from '../../ui/save-file.ts';
import { Time } from '../../ui/time.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** Poll interval of an erasure in progress. */
const POLL_MS = 2_000;

const isDone = ({ status, receipt }: SignalErasureShown): boolean => status === 'ERASED' && receipt !== null;

interface ReceiptProps {
  readonly receipt: ErasureReceipt;
  readonly signalId: string;
}

function Receipt({ receipt, signalId }: ReceiptProps) {
  const api = useApi();
  const checked = useQuery<{ readonly fault: string | null }, Fault>({
    queryKey: ['check', 'erasure', signalId, receipt.checkpoint],
    queryFn: async ({ signal }) => {
      const [keys, { erasureFault }] = await Promise.all([
        api.call(listSigningKeys, { signal }),
        import('../../proof/check-erasure.ts'),
      ]);
      return {
        fault: erasureFault(
          receipt,
          signalId,
          keys.data.map(({ vkey }) => vkey),
        ),
      };
    },
    refetchInterval: false,
  });
  return (
    <>
      {checked.error !== null && <FaultNote fault={checked.error} />}
      {checked.data !== undefined && (
        <Verdict isGood={checked.data.fault === null}>
          {checked.data.fault === null
            ? 'Receipt valid: the erasure is in the signed ledger'
            : `Receipt not valid: ${checked.data.fault}`}
        </Verdict>
      )}
      <dl className="facts">
        <div>
          <dt>Entry</dt>
          <dd>
            {exactNumber(receipt.index)} of {exactNumber(receipt.treeSize)}
          </dd>
        </div>
        <div>
          <dt>Leaf hash</dt>
          <dd>
            <code>{receipt.leafHash}</code>
          </dd>
        </div>
        <div>
          <dt>Root hash</dt>
          <dd>
            <code>{receipt.rootHash}</code>
          </dd>
        </div>
      </dl>
    </>
  );
}

/** The status of an erasure, with the receipt once there is one, and where content remains for a while. */
export function Erasure({ started }: { readonly started: SignalErasureShown }) {
  const { signalId } = started;
  const api = useApi();
  const sent = { params: { id: signalId } };
  const latest = useQuery<SignalErasureShown, Fault>({
    queryKey: [targetOf(getErasure, sent)],
    queryFn: async ({ signal }) => (await api.call(getErasure, { ...sent, signal })).data,
    enabled: !isDone(started),
    refetchInterval: ({ state }) => (state.data !== undefined && isDone(state.data) ? false : POLL_MS),
  });
  const erasure = latest.data ?? started;
  const { receipt, erasedAt, remains, status } = erasure;
  return (
    <section className="record" aria-label="Receipt" aria-live="polite">
      <header>
        <h3>
          Signal <code>{signalId}</code>
        </h3>
        <span className="plan">{label('erasureStatus', status)}</span>
      </header>
      <p>
        {status === 'ERASED' ? 'Erased' : 'Requested'} <Time at={erasedAt} />
      </p>
      {latest.error !== null && <FaultNote fault={latest.error} />}
      {receipt === null ? (
        <p role="status">The receipt is available once the erasure is stored and signed.</p>
      ) : (
        <>
          <Receipt receipt={receipt} signalId={signalId} />
          <div className="buttons">
            <Button
              className="button"
              onPress={() => saveJson({ success: true, data: erasure }, `erasure-${signalId}.json`)}
            >
              Download receipt
            </Button>
          </div>
          <p className="muted">
            <code>cas verify</code> checks it offline, with a verifier key you saved.
          </p>
        </>
      )}
      {remains.length > 0 && (
        <>
          <h3>Remaining copies</h3>
          <ul className="plain rows">
            {remains.map(({ in: location, days, what }) => (
              <li key={`${location} ${what}`}>
                <strong>{label('remains', location)}</strong>: {what}{' '}
                <span className="muted">
                  ({days === null ? 'no end date' : `for up to ${counted(days, 'day')}`})
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
