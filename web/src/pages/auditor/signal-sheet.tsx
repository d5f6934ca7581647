import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { Signal } from '#schemas/api/signals.ts';
import { Proof } from '../../ui/evidence/signal-proof.tsx';
import { Why } from '../../ui/evidence/signal-why.tsx';
import { Level } from '../../ui/level.tsx';
import { Time } from '../../ui/time.tsx';

interface SignalSheetProps {
  readonly signal: Signal;
  readonly canProve: boolean;
  readonly onClose: () => void;
}

/** One signal from the list: opening it makes no call. */
export function SignalSheet({ signal, canProve, onClose }: SignalSheetProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <aside className="card sheet" aria-labelledby="signal-title">
      <header>
        <h3 id="signal-title" ref={title} tabIndex={-1}>
          Signal <code>{signal.id}</code>
        </h3>
        <Button className="button" onPress={onClose}>
          Close
        </Button>
      </header>
      <p className="sheet-summary">
        <Level level={signal.riskLevel} />
        <Time at={signal.createdAt} withAge />
        <span>
          {signal.model} ({signal.provider})
        </span>
      </p>
      <Why signal={signal} />
      {canProve && <Proof signal={signal} isAuditor />}
    </aside>
  );
}
