import { Button, Form } from 'react-aria-components';
import { FaultNote } from '../ui/fault-note.tsx';
import { Field } from '../ui/field.tsx';
import { PASSWORD_LENGTH } from './sign-up-form.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { useKeepWorkspace } from './use-sign-in.ts';

/** The first screen after a one-time link: its user has no password yet. */
export function KeepWorkspace({ onSkip }: { readonly onSkip: () => void }) {
  const { mutate, isPending, error } = useKeepWorkspace();
  const { min, max } = PASSWORD_LENGTH;
  return (
    <main className="sign-in">
      <h1>Compliance Audit</h1>
      <section className="card" aria-labelledby="keep-title">
        <h2 id="keep-title">Keep this workspace</h2>
        <p>
          You signed in with a one-time link. Set an email and a password to sign in again at any time. No
          email is sent.
        </p>
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            const sent = new FormData(event.currentTarget);
            mutate({ email: String(sent.get('email')), password: String(sent.get('password')) });
          }}
        >
          <Field label="Email" name="email" type="email" autoComplete="username" isRequired />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={min}
            maxLength={max}
            description={`${min} to ${max} characters. Passwords that are easy to guess are refused.`}
            isRequired
          />
          {error !== null && <FaultNote fault={error} />}
          <div className="buttons">
            <Button type="submit" className="button primary" isDisabled={isPending}>
              {isPending ? 'Saving…' : 'Keep workspace'}
            </Button>
            <Button className="button" onPress={onSkip}>
              Skip for now
            </Button>
          </div>
        </Form>
      </section>
      <ThemeSwitch />
    </main>
  );
}
