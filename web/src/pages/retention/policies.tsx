import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { RetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import { listRetentionPolicies } from '#schemas/endpoints.ts';
import { useList } from '../../api/use-list.ts';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { PolicyCard } from './policy-card.tsx';
import { PolicyForm } from './policy-form.tsx';

/** Retention policies, each with the signals due under it. */
export function Policies({ status }: { readonly status: RetentionStatus | null }) {
  const query = useList(listRetentionPolicies);
  const [isMaking, setIsMaking] = useState(false);
  return (
    <Tile title="Retention policies" query={query} size="full">
      {({ rows, total }) => (
        <>
          <p className="muted">
            If several policies apply to a signal, the longest retention wins; if equal, anonymizing wins.
            Legal holds always win, even over erasure requests.
          </p>
          {isMaking ? (
            <section className="record" aria-label="New retention policy">
              <PolicyForm policy={null} onDone={() => setIsMaking(false)} />
            </section>
          ) : (
            <div className="buttons">
              <Button className="button" onPress={() => setIsMaking(true)}>
                New policy
              </Button>
            </div>
          )}
          {total === 0 ? (
            <p>No policies: signals are kept indefinitely.</p>
          ) : (
            <>
              <ul className="records">
                {rows.map((policy) => (
                  <PolicyCard
                    key={policy.id}
                    policy={policy}
                    left={status?.policies.find(({ id }) => id === policy.id) ?? null}
                  />
                ))}
              </ul>
              <MoreRows unit="policy" units="policies" query={query} />
            </>
          )}
        </>
      )}
    </Tile>
  );
}
