import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { AuditorPermission } from '#schemas/vocabulary.ts';
import { Fault } from '../../api/fault.ts';
import { label } from '../../labels/label.ts';

import { Chain } from './chain.tsx';
import { Controls } from './controls.tsx';
import { CustomerForm } from './customer-form.tsx';
import { Incidents } from './incidents.tsx';
import { Packages } from './packages.tsx';
import { Signals } from './signals.tsx';
import { useViews } from './use-views.ts';

interface ViewProps {
  /** The current customer, when there are several. */
  readonly customerId: string | null;
  readonly onCustomer: (customerId: string) => void;
  readonly onLeave: () => void;
}

const isDenied = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'PERMISSION_NOT_GRANTED';

/** The token covers several customers, and none was named. */
const lacksCustomer = (error: Fault | null): boolean =>
  error !== null && error.status === 400 && error.details.some(({ path }) => path === 'customerId');

interface HeadProps {
  readonly customerId: string | null;
  readonly isReady: boolean;
  readonly onOther: () => void;
  readonly onLeave: () => void;
}

function Head({ customerId, isReady, onOther, onLeave }: HeadProps) {
  const queries = useQueryClient();
  return (
    <header>
      <h1>Auditor view</h1>
      {customerId !== null && (
        <>
          <span className="muted">
            Customer <code>{customerId}</code>
          </span>
          <Button className="button" onPress={onOther}>
            Switch customer
          </Button>
        </>
      )}
      {isReady && (
        <Button
          className="button"
          onPress={() =>
            // A denied call stays denied: repeating it would only record another denial.
            void queries.invalidateQueries({ predicate: ({ state }) => !isDenied(state.error) })
          }
        >
          Refresh
        </Button>
      )}
      <Button className="button" onPress={onLeave}>
        Sign out
      </Button>
    </header>
  );
}

interface ScopeProps {
  readonly denied: readonly AuditorPermission[];
  /** Whether all calls have completed. */
  readonly isKnown: boolean;
}

function Scope({ denied, isKnown }: ScopeProps) {
  return (
    <section className="card" aria-label="Scope">
      <p>
        Based on language-model activity only; not a certification. Totals include only what you’ve been
        granted. Prompt and response text isn’t stored.
      </p>
      {!isKnown && (
        <p className="muted" role="status">
          Checking permissions…
        </p>
      )}
      {isKnown && denied.length > 0 && (
        <p>Not granted to this token: {denied.map((one) => label('permission', one)).join('; ')}.</p>
      )}
    </section>
  );
}

/** Everything that the token permits, which only the calls can show. */
export function View({ customerId, onCustomer, onLeave }: ViewProps) {
  const views = useViews();
  const [isChoosing, setIsChoosing] = useState(false);
  const { signals, coverage, incidents, keys, packages } = views;
  const all: readonly [AuditorPermission, Pick<UseQueryResult<unknown, Fault>, 'error' | 'isPending'>][] = [
    ['READ_SIGNALS', signals.query],
    ['READ_ATTESTATIONS', coverage],
    ['READ_INCIDENTS', incidents],
    ['VERIFY_HASH_CHAIN', keys],
    ['DOWNLOAD_PACKAGES', packages],
  ];
  const named = (those: typeof all): AuditorPermission[] => those.map(([permission]) => permission);
  const denied = named(all.filter(([, { error }]) => isDenied(error)));
  const unknown = named(all.filter(([, { isPending }]) => isPending));
  const shows = (permission: AuditorPermission): boolean =>
    !denied.includes(permission) && !unknown.includes(permission);
  const asksForCustomer = isChoosing || all.some(([, { error }]) => lacksCustomer(error));
  return (
    <main className="outside">
      <Head
        customerId={customerId}
        isReady={!asksForCustomer}
        onOther={() => setIsChoosing(true)}
        onLeave={onLeave}
      />
      {asksForCustomer ? (
        <CustomerForm onCustomer={onCustomer} />
      ) : (
        <>
          <Scope denied={denied} isKnown={unknown.length === 0} />
          {shows('READ_ATTESTATIONS') && <Controls coverage={coverage} />}
          {shows('READ_SIGNALS') && <Signals view={signals} canProve={keys.data !== undefined} />}
          {shows('READ_INCIDENTS') && <Incidents query={incidents} />}
          {shows('VERIFY_HASH_CHAIN') && <Chain keys={keys} />}
          {shows('DOWNLOAD_PACKAGES') && <Packages query={packages} />}
        </>
      )}
    </main>
  );
}
