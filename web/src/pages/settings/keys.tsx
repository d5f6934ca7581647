import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { ApiKey } from '#schemas/api/customers.ts';
import { listOwnApiKeys, revokeOwnApiKey } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { label } from '../../labels/label.ts';
import { TypedConfirmation } from '../../ui/form/typed-confirmation.tsx';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';
import { NewKey } from './new-key.tsx';
import { useKeys } from './use-keys.ts';

function Revoke({ apiKey, onEnd }: { readonly apiKey: ApiKey; readonly onEnd: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const revoke = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(revokeOwnApiKey, { params: { id: apiKey.id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [listOwnApiKeys.path] });
      onEnd();
    },
  });
  return (
    <>
      <p>
        Requests with the key <strong>{apiKey.name}</strong> will fail immediately. This can’t be undone.
      </p>
      <TypedConfirmation
        expected={apiKey.prefix}
        label={`Type ${apiKey.prefix} to confirm`}
        action="Revoke key"
        isPending={revoke.isPending}
        fault={revoke.error}
        onConfirm={() => revoke.mutate()}
        onLeave={onEnd}
      />
    </>
  );
}

function KeyRow({ apiKey }: { readonly apiKey: ApiKey }) {
  const [isRevoking, setIsRevoking] = useState(false);
  const { name, prefix, createdAt, lastUsedAt, status } = apiKey;
  return (
    <li className="key" data-status={status}>
      <div className="key-line">
        <span className="key-name">
          <strong>{name}</strong> <code>{prefix}…</code>
        </span>
        <span className="plan">{label('accessStatus', status)}</span>
        {status === 'active' && !isRevoking && (
          <Button className="button" aria-label={`Revoke ${name}`} onPress={() => setIsRevoking(true)}>
            Revoke
          </Button>
        )}
      </div>
      <span className="muted">
        Created <Time at={createdAt} />,{' '}
        {lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            last used <Time at={lastUsedAt} withAge />
          </>
        )}
      </span>
      {isRevoking && <Revoke apiKey={apiKey} onEnd={() => setIsRevoking(false)} />}
    </li>
  );
}

/** API keys for programs that call the service. */
export function Keys() {
  const keys = useKeys();
  return (
    <Tile title="API keys" size="full" query={keys}>
      {({ rows, total }) => (
        <>
          <NewKey />
          <ul className="plain keys" aria-label="Keys">
            {rows.map((apiKey) => (
              <KeyRow key={apiKey.id} apiKey={apiKey} />
            ))}
          </ul>
          {total === 0 && (
            <p className="muted">No API keys yet. Your applications need one to send audits.</p>
          )}
          <MoreRows unit="key" query={keys} />
        </>
      )}
    </Tile>
  );
}
