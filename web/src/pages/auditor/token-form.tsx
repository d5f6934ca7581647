import { type FormEvent, useState } from 'react';
import { Button } from 'react-aria-components';
import type { AuditorAccess } from '../../api/call.ts';
import { Field } from '../../ui/field.tsx';
import { typedIn } from '../../ui/form/form-values.ts';
import { isAuditorToken } from './token.ts';

interface TokenFormProps {
  /** Why there is no view, or no longer one. */
  readonly note: string | null;
  readonly onOpen: (access: AuditorAccess) => void;
}

/** Asks for the token, which is kept only while this page is open. */
export function TokenForm({ note, onOpen }: TokenFormProps) {
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const token = typedIn(form, 'token') ?? '';
    const customerId = typedIn(form, 'customerId');
    if (!isAuditorToken(token))
      setFault('This isn’t an auditor token. Tokens start with aud_, followed by 64 letters and digits.');
    else onOpen({ token, ...(customerId === undefined ? {} : { customerId }) });
  };
  return (
    <section className="card" aria-labelledby="token-title">
      <form onSubmit={submit}>
        <h2 id="token-title">Sign in with your token</h2>
        {(fault ?? note) !== null && (
          <p className="field-error" role="alert">
            {fault ?? note}
          </p>
        )}
        <Field
          label="Token"
          name="token"
          autoComplete="off"
          spellCheck="false"
          maxLength={128}
          description="You’ll need it again after reloading this page."
          isRequired
        />
        <Field
          label="Customer ID (optional)"
          name="customerId"
          autoComplete="off"
          spellCheck="false"
          maxLength={64}
          description="Only if the token covers several customers."
        />
        <div className="buttons">
          <Button type="submit" className="button primary">
            Sign in
          </Button>
        </div>
      </form>
    </section>
  );
}
