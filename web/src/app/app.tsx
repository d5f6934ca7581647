import { lazy, Suspense, useEffect } from 'react';
import { Route, Router, Switch } from 'wouter';
import { BASE_PATH } from '../address/base-path.ts';
import { useSession } from '../api/use-session.ts';
import { FaultNote } from '../ui/fault-note.tsx';
import { Boundary } from './boundary.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { Shell } from './shell.tsx';
import { SignedOut } from './signed-out.tsx';

interface AppProps {
  /** Out of the fragment of the address, which does not hold it any more; null: there was none. A link's, or an auditor's. */
  readonly linkToken: string | null;
}

/** For who has a token and no account; it asks nobody who is signed in. */
const AuditorPage = lazy(async () => ({
  default: (await import('../pages/auditor/auditor.tsx')).AuditorPage,
}));

const Loading = () => (
  <p className="middle muted" role="status">
    Loading…
  </p>
);

/** How tokens of auditors begin; they sign nobody in. */
const AUDITORS = 'aud_';

export function App({ linkToken }: AppProps) {
  return (
    <Router base={`${BASE_PATH}/ui`}>
      <Switch>
        <Route path="/auditor">
          <Boundary>
            <Suspense fallback={<Loading />}>
              <AuditorPage handedToken={linkToken} />
            </Suspense>
          </Boundary>
        </Route>
        <Route>
          <SignedInApp linkToken={linkToken?.startsWith(AUDITORS) ? null : linkToken} />
        </Route>
      </Switch>
    </Router>
  );
}

/** Who is signed in sees the page of the address; who is not signs in first, and is where the address says after that. */
function SignedInApp({ linkToken }: AppProps) {
  const session = useSession();
  useEffect(() => {
    document.documentElement.dataset.ready = String(!session.isPending);
  }, [session.isPending]);
  if (session.isPending) return <Loading />;
  if (session.isError)
    return (
      <main className="middle">
        <FaultNote fault={session.error} retry={() => void session.refetch()} />
      </main>
    );
  if (session.data !== null) return <Shell session={session.data} />;
  return linkToken !== null ? <LinkSignIn token={linkToken} /> : <SignedOut />;
}
