import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { QueryOf } from '#schemas/api/openapi/request.ts';
import type { verifyHashChain } from '#schemas/endpoints.ts';
import { ToggleChoice } from '../../ui/list/toggle-choice.tsx';

const MODES = [
  { value: 'full', shown: 'Full' },
  { value: 'incremental', shown: 'New entries' },
  { value: 'range', shown: 'Range' },
] as const;
type Mode = (typeof MODES)[number]['value'];

interface VerifyFormProps {
  readonly isRunning: boolean;
  readonly onVerify: (query: QueryOf<typeof verifyHashChain>) => void;
}

const indexIn = (sent: FormData, name: string): string | undefined => {
  const text = String(sent.get(name) ?? '').trim();
  return text === '' ? undefined : text;
};

export function VerifyForm({ isRunning, onVerify }: VerifyFormProps) {
  const [mode, setMode] = useState<Mode>('full');
  return (
    <Form
      className="verify-form"
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        const range = { fromIndex: indexIn(sent, 'fromIndex'), toIndex: indexIn(sent, 'toIndex') };
        onVerify({ mode, ...(mode === 'range' ? range : {}) });
      }}
    >
      <ToggleChoice
        label="Entries to verify"
        isRequired
        chosen={mode}
        onChoose={(chosen) => setMode(chosen ?? 'full')}
        options={MODES}
      />
      {mode === 'range' && (
        <>
          <label className="inline-field">
            <span>From entry</span>
            <input name="fromIndex" type="number" min={0} step={1} placeholder="0" />
          </label>
          <label className="inline-field">
            <span>To entry</span>
            <input name="toIndex" type="number" min={0} step={1} placeholder="last" />
          </label>
        </>
      )}
      <Button type="submit" className="button primary" isDisabled={isRunning}>
        {isRunning ? 'Verifying…' : 'Verify'}
      </Button>
    </Form>
  );
}
