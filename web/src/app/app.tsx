import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { BASE_PATH } from '../address/base-path.ts';
import { useSession } from '../api/use-session.ts';
import { FaultNote } from '../ui/fault-note.tsx';
import { Boundary } from './boundary.tsx';
import { KeepWorkspace } from './keep-workspace.tsx';
import { LinkSignIn } from './link-sign-in.tsx';
import { Shell } from './shell.tsx';
import { SignedOut } from './signed-out.tsx';

interface AppProps {
  /**
   * From the fragment of the address, which no longer contains it; null when there was none. A sign-in link's or an
   * auditor's.
   */
  readonly linkToken: string | null;
}

/** For auditors with a token and no account; it needs no session. */
const AuditorPage = lazy(async () => ({
  default: (await import('../pages/auditor/auditor.tsx')).AuditorPage,
}));

const Loading = () => (
  <p className="middle muted" role="status">
    Loading…
  </p>
);

/** Prefix of auditors' tokens, which sign no one in. */
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

/** Signed-in users see the page at the address; others sign in first and then see it. */
function SignedInApp({ linkToken }: AppProps) {
  const session = useSession();
  const [isLinkUsed, setIsLinkUsed] = useState(linkToken === null);
  const [isKeeping, setIsKeeping] = useState(linkToken !== null);
  const endLink = useCallback(() => setIsLinkUsed(true), []);
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
  // A session without a password is replaced by a new link: only a recent link may set the password.
  const isPasswordless = session.data?.user.email === null;
  if (linkToken !== null && (session.data === null || (isPasswordless && !isLinkUsed)))
    return <LinkSignIn token={linkToken} onEnd={endLink} />;
  if (session.data === null) return <SignedOut />;
  if (isPasswordless && isKeeping) return <KeepWorkspace onSkip={() => setIsKeeping(false)} />;
  return <Shell session={session.data} onKeep={() => setIsKeeping(true)} />;
}
