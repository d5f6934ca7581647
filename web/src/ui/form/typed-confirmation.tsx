import { type FormEvent, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Fault } from '../../api/fault.ts';
import { FaultNote } from '../fault-note.tsx';
import { Field } from '../field.tsx';

interface TypedConfirmationProps {
  /** The text to type as confirmation. */
  readonly expected: string;
  readonly label: string;
  readonly action: string;
  readonly isPending: boolean;
  readonly fault: Fault | null;
  readonly onConfirm: () => void;
  readonly onLeave: () => void;
}

/** Confirms an irreversible action by typing. Leading and trailing spaces, which are invisible, are ignored. */
export function TypedConfirmation(props: TypedConfirmationProps) {
  const { expected, label, action, isPending, fault, onConfirm, onLeave } = props;
  const [typed, setTyped] = useState('');
  const isTyped = typed.trim() === expected.trim();
  const confirm = (event: FormEvent): void => {
    event.preventDefault();
    if (isTyped && !isPending) onConfirm();
  };
  return (
    <form className="confirmation" onSubmit={confirm}>
      <Field
        label={label}
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        spellCheck="false"
        autoFocus
      />
      {fault !== null && <FaultNote fault={fault} />}
      <div className="buttons">
        <Button type="submit" className="button danger" isDisabled={!isTyped || isPending}>
          {action}
        </Button>
        <Button className="button" onPress={onLeave}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
