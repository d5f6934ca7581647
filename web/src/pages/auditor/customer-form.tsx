import type { FormEvent } from 'react';
import { Button } from 'react-aria-components';
import { Field } from '../../ui/field.tsx';
import { typedIn } from '../../ui/form/form-values.ts';

/** For a token that covers several customers: each call concerns one, and is recorded in that customer's ledger. */
export function CustomerForm({ onCustomer }: { readonly onCustomer: (customerId: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const customerId = typedIn(new FormData(event.currentTarget), 'customerId');
    if (customerId !== undefined) onCustomer(customerId);
  };
  return (
    <form className="card" onSubmit={submit}>
      <p>This token covers several customers. Enter the one to view.</p>
      <Field
        label="Customer ID"
        name="customerId"
        maxLength={64}
        autoComplete="off"
        spellCheck="false"
        description="As given to you with the token."
        isRequired
      />
      <div className="buttons">
        <Button type="submit" className="button primary">
          View
        </Button>
      </div>
    </form>
  );
}
