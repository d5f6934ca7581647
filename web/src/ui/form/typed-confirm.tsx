import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Fault } from '../../api/fault.ts';
import { FaultNote } from '../fault-note.tsx';
import { Field } from '../field.tsx';

interface TypedConfirmProps {
  /** What has to be typed. */
  readonly expected: string;
  readonly label: string;
  readonly action: string;
  readonly isPending: boolean;
  readonly fault: Fault | null;
  readonly onConfirm: () => void;
  readonly onLeave: () => void;
}

/** Before what cannot be taken back: whoever does it types what it is done to. */
export function TypedConfirm(props: TypedConfirmProps) {
  const { expected, label, action, isPending, fault, onConfirm, onLeave } = props;
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === expected;
  return (
    <form
      className="typed-confirm"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !isPending) onConfirm();
      }}
    >
      <Field label={label} value={typed} onChange={setTyped} autoComplete="off" autoFocus />
      {fault !== null && <FaultNote fault={fault} />}
      <div className="buttons">
        <Button type="submit" className="button danger" isDisabled={!isTyped || isPending}>
          {action}
        </Button>
        <Button className="button" onPress={onLeave}>
          Leave it
        </Button>
      </div>
    </form>
  );
}
