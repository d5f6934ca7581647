import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BASE_PATH } from './address/base-path.ts';
import { ApiContext } from './api/api-context.ts';
import { createApi } from './api/call.ts';
import { Fault } from './api/fault.ts';
import { ENDED_KEY, SESSION_KEY } from './api/use-session.ts';
import { wait } from './api/wait.ts';
import { App } from './app/app.tsx';
import { holdsToken, takeLinkToken } from './app/link-token.ts';
import { applyTheme, readTheme } from './app/theme.ts';
import './styles/theme.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/charts.css';
import './styles/signals.css';
import './styles/audits.css';
import './styles/dead-letters.css';
import './styles/settings.css';
import './styles/sandboxes.css';
import './styles/welcome.css';
import './styles/evidence.css';
import './styles/lists.css';
import './styles/incidents.css';
import './styles/chain.css';
import './styles/correlations.css';
import './styles/controls.css';

const FRESH_MS = 5_000;
/** For data without a stream of change events. */
const REFRESH_MS = 60_000;
const MAX_RETRIES = 2;

applyTheme(readTheme(localStorage), document.documentElement);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchInterval: REFRESH_MS,
      // A request that the service rejected would be rejected again; an outage may be over.
      retry: (failures, error) =>
        failures < MAX_RETRIES && error instanceof Fault && (error.status === 0 || error.status >= 500),
    },
  },
});

const api = createApi({
  fetch: (input, init) => window.fetch(input, init),
  wait,
  onSignedOut: () => {
    // The address does not change, so that users continue where they were after signing in again.
    if (queries.getQueryData(SESSION_KEY) === null) return;
    queries.setQueryData(ENDED_KEY, true);
    queries.setQueryData(SESSION_KEY, null);
  },
});

function start(): void {
  const linkToken = takeLinkToken(window.location, window.history);
  // Pasting a link where the page is already open changes only its fragment, which no page load would read.
  window.addEventListener('hashchange', () => {
    if (holdsToken(window.location)) window.location.reload();
  });
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ApiContext value={api}>
          <App linkToken={linkToken} />
        </ApiContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}

const { pathname, search, hash } = window.location;
// The service also answers without its base path, where browsers would not send the session cookie.
if (pathname.startsWith(`${BASE_PATH}/ui`)) start();
else window.location.replace(BASE_PATH + pathname + search + hash);
