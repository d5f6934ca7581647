import { Button, Form } from 'react-aria-components';
import { FaultNote } from '../ui/fault-note.tsx';
import { Field } from '../ui/field.tsx';
import { useSignIn } from './use-sign-in.ts';

export function SignInForm() {
  const { mutate, isPending, error } = useSignIn();
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        mutate({ email: String(sent.get('email')), password: String(sent.get('password')) });
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" isRequired />
      <Field label="Password" name="password" type="password" autoComplete="current-password" isRequired />
      {error !== null && <FaultNote fault={error} />}
      <Button type="submit" className="button primary" isDisabled={isPending}>
        {isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </Form>
  );
}
