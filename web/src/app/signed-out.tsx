import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { useSessionEnded } from '../api/use-session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

/** The address does not change, so that users arrive at their page after signing in. */
export function SignedOut({ note }: { readonly note?: ReactNode }) {
  const [isNew, setIsNew] = useState(false);
  const isEnded = useSessionEnded();
  return (
    <main className="sign-in">
      <h1>Compliance Audit</h1>
      {note}
      {isEnded && (
        <p className="notice" role="status">
          You were signed out. Sign in again to continue.
        </p>
      )}
      <section className="card" aria-labelledby="sign-in-title">
        <h2 id="sign-in-title">{isNew ? 'Create account' : 'Sign in'}</h2>
        {isNew ? <SignUpForm /> : <SignInForm />}
        <p className="muted">
          {isNew ? 'Already have an account? ' : 'No account yet? '}
          <Button className="link-button" onPress={() => setIsNew(!isNew)}>
            {isNew ? 'Sign in' : 'Create one'}
          </Button>
        </p>
      </section>
      <ThemeSwitch />
    </main>
  );
}
