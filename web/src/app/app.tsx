import { useEffect } from 'react';
import { Router } from 'wouter';
import { useSession } from '../api/use-session.ts';
import { FaultNote } from '../ui/fault-note.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { Shell } from './shell.tsx';
import { SignedOut } from './signed-out.tsx';

interface AppProps {
  /** Out of the fragment of the address, which does not hold it any more; null: there was none. */
  readonly linkToken: string | null;
}

/** Who is signed in sees the page of the address; who is not signs in first, and is where the address says after that. */
export function App({ linkToken }: AppProps) {
  const session = useSession();
  useEffect(() => {
    document.documentElement.dataset.ready = String(!session.isPending);
  }, [session.isPending]);
  if (session.isPending)
    return (
      <p className="middle muted" role="status">
        Loading
      </p>
    );
  if (session.isError)
    return (
      <main className="middle">
        <FaultNote fault={session.error} retry={() => void session.refetch()} />
      </main>
    );
  return (
    <Router base="/ui">
      {session.data !== null ? (
        <Shell session={session.data} />
      ) : linkToken !== null ? (
        <LinkSignIn token={linkToken} />
      ) : (
        <SignedOut />
      )}
    </Router>
  );
}
