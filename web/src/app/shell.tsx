import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { Route, Switch, useLocation } from 'wouter';
import { PAGES, type PagePath } from '../address/pages.ts';
import type { Session } from '../api/use-session.ts';
import { label } from '../labels/label.ts';
import { PageLink } from '../ui/page-link.tsx';
import { Boundary } from './boundary.tsx';
import { Navigation } from './navigation.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { useSignOut } from './use-sign-in.ts';

/** Each page is a separate chunk. */
const LOADERS: Readonly<Record<PagePath, () => Promise<{ readonly Page: ComponentType }>>> = {
  '/': () => import('../pages/overview/overview.tsx'),
  '/signals': () => import('../pages/signals/signals.tsx'),
  '/dead-letters': () => import('../pages/dead-letters/dead-letters.tsx'),
  '/settings': () => import('../pages/settings/settings.tsx'),
  '/sandboxes': () => import('../pages/sandboxes/sandboxes.tsx'),
  '/welcome': () => import('../pages/welcome/welcome.tsx'),
  '/audits': () => import('../pages/audits/audits.tsx'),
  '/policies': () => import('../pages/policies/policies.tsx'),
  '/packages': () => import('../pages/packages/packages.tsx'),
  '/retention': () => import('../pages/retention/retention.tsx'),
  '/auditors': () => import('../pages/auditors/auditors.tsx'),
  '/incidents': () => import('../pages/incidents/incidents.tsx'),
  '/chain': () => import('../pages/chain/chain.tsx'),
  '/correlations': () => import('../pages/correlations/correlations.tsx'),
  '/controls': () => import('../pages/controls/controls.tsx'),
};
const ROUTES = Object.entries(LOADERS).map(([path, load]) => ({
  path,
  Shown: lazy(async () => ({ default: (await load()).Page })),
}));

interface ShellProps {
  readonly session: Session;
  /** Offers users without a password to set email and password. */
  readonly onKeep: () => void;
}

function Account({ session, onKeep }: ShellProps) {
  const { mutate, isPending } = useSignOut();
  return (
    <div className="account">
      <span className="account-name">
        <strong>{session.customer.name}</strong>
        {session.user.email === null ? (
          <Button className="link-button" onPress={onKeep}>
            Keep this workspace
          </Button>
        ) : (
          <span className="muted">{session.user.email}</span>
        )}
      </span>
      <span className="plan">{label('plan', session.customer.plan)}</span>
      <Button className="button" isDisabled={isPending} onPress={() => mutate()}>
        Sign out
      </Button>
    </div>
  );
}

/** Announces a page change to users who do not see it: sets the title, and the focus to the start of the page. */
function useArrival(location: string) {
  const main = useRef<HTMLElement>(null);
  const former = useRef(location);
  useEffect(() => {
    const title = PAGES.find(({ path }) => path === location)?.title ?? 'Page not found';
    document.title = `${title} · Compliance Audit`;
    if (former.current !== location) main.current?.focus();
    former.current = location;
  }, [location]);
  return main;
}

export function Shell({ session, onKeep }: ShellProps) {
  const [location] = useLocation();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const main = useArrival(location);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes on navigation
  useEffect(() => setIsMenuOpen(false), [location]);
  return (
    <div className="shell" data-menu={isMenuOpen ? 'open' : 'closed'}>
      <a className="skip" href="#main">
        Skip to main content
      </a>
      <header className="top">
        <Button
          className="button menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onPress={() => setIsMenuOpen(!isMenuOpen)}
        >
          Menu
        </Button>
        <span className="brand">Compliance Audit</span>
        <ThemeSwitch />
        <Account session={session} onKeep={onKeep} />
      </header>
      <Navigation location={location} />
      <main id="main" ref={main} tabIndex={-1}>
        <Boundary key={location}>
          <Suspense
            fallback={
              <p className="muted" role="status">
                Loading…
              </p>
            }
          >
            <Switch>
              {ROUTES.map(({ path, Shown }) => (
                <Route key={path} path={path}>
                  <Shown />
                </Route>
              ))}
              <Route>
                <NoSuchPage />
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </main>
    </div>
  );
}

const NoSuchPage = () => (
  <section className="card">
    <h1>Page not found</h1>
    <p>This page doesn’t exist or was moved.</p>
    <p>
      <PageLink to="/">Go to Overview</PageLink>
    </p>
  </section>
);
