import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { ApiContext, useApi } from '../../api/api-context.ts';
import type { AuditorAccess } from '../../api/call.ts';
import { isAuditorToken } from './token.ts';
import { TokenForm } from './token-form.tsx';
import { View } from './view.tsx';

interface AuditorPageProps {
  /** From the fragment of the address, which no longer contains it. */
  readonly handedToken: string | null;
}

/** Each call is an entry in the customer's ledger: nothing is requested twice or refetched. */
const newQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: false,
      },
      mutations: { gcTime: 0 },
    },
  });

const REFUSED = 'This token isn’t valid. It’s unknown, revoked or expired.';

interface OpenedProps {
  readonly access: AuditorAccess;
  readonly onCustomer: (customerId: string) => void;
  readonly onRefused: () => void;
  readonly onLeave: () => void;
}

/** Data read with this token is discarded with it. */
function Opened({ access, onCustomer, onRefused, onLeave }: OpenedProps) {
  const api = useApi();
  const queries = useMemo(newQueries, []);
  const own = useMemo(() => api.asAuditor(access, onRefused), [api, access, onRefused]);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <QueryClientProvider client={queries}>
      <ApiContext value={own}>
        <View customerId={access.customerId ?? null} onCustomer={onCustomer} onLeave={onLeave} />
      </ApiContext>
    </QueryClientProvider>
  );
}

/** The auditor's view, without an account: the only credential is the token, kept only in memory. */
export function AuditorPage({ handedToken }: AuditorPageProps) {
  const [access, setAccess] = useState<AuditorAccess | null>(() =>
    handedToken !== null && isAuditorToken(handedToken) ? { token: handedToken } : null,
  );
  const [note, setNote] = useState<string | null>(() =>
    handedToken !== null && !isAuditorToken(handedToken) ? 'This link contains no auditor token.' : null,
  );
  const leave = useCallback((why: string | null) => {
    setNote(why);
    setAccess(null);
  }, []);
  const refuse = useCallback(() => leave(REFUSED), [leave]);
  useEffect(() => {
    document.title = 'Auditor view · Compliance Audit';
  }, []);
  if (access !== null)
    return (
      <Opened
        key={access.customerId}
        access={access}
        onCustomer={(customerId) => setAccess({ token: access.token, customerId })}
        onRefused={refuse}
        onLeave={() => leave('You’re signed out.')}
      />
    );
  return (
    <main className="sign-in">
      <h1>Auditor view</h1>
      <TokenForm
        note={note}
        onOpen={(given) => {
          setNote(null);
          setAccess(given);
        }}
      />
      <p className="muted">
        Read-only access to a customer’s audit evidence. No account needed. Every request, including refused
        ones, is recorded in the customer’s ledger.
      </p>
    </main>
  );
}
