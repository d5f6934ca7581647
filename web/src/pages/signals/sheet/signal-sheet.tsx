import type { Signal } from '#schemas/api/signals.ts';
import { getSignal } from '#schemas/endpoints.ts';
import { useGet } from '../../../api/use-get.ts';
import { Proof } from '../../../ui/evidence/signal-proof.tsx';
import { Why } from '../../../ui/evidence/signal-why.tsx';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { Level } from '../../../ui/level.tsx';
import { SideSheet } from '../../../ui/side-sheet.tsx';
import { Time } from '../../../ui/time.tsx';
import { Actions } from './actions.tsx';
import { Adjust } from './adjust.tsx';
import { Policy } from './policy.tsx';
import { Similar } from './similar.tsx';

interface SignalSheetProps {
  readonly id: string;
  readonly onClose: () => void;
}

function Parts({ signal }: { readonly signal: Signal }) {
  return (
    <>
      <p className="sheet-summary">
        <Level level={signal.riskLevel} />
        <Time at={signal.createdAt} withAge />
        {signal.alert && <span className="plan">Alerted</span>}
      </p>
      <Why signal={signal} />
      <Adjust signal={signal} />
      <Policy signal={signal} />
      <Proof signal={signal} />
      <Similar signal={signal} />
      <Actions signal={signal} />
    </>
  );
}

/** One signal, next to the list instead of over it. */
export function SignalSheet({ id, onClose }: SignalSheetProps) {
  const { data, error, isPlaceholderData, refetch } = useGet(getSignal, { params: { id } });
  return (
    <SideSheet
      title={
        <>
          Signal <code>{id}</code>
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
      {data !== undefined && !isPlaceholderData && <Parts signal={data.data} />}
    </SideSheet>
  );
}
