import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Auditor } from '#schemas/api/evidence/auditors/auditors.ts';
import { listAuditors, revokeAuditor } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { label } from '../../labels/label.ts';

import { TypedConfirmation } from '../../ui/form/typed-confirmation.tsx';
import { Time } from '../../ui/time.tsx';

function Scope({ auditor }: { readonly auditor: Auditor }) {
  const { permissions, frameworks, periodStart, periodEnd } = auditor;
  return (
    <dl className="facts">
      <div>
        <dt>Permissions</dt>
        <dd>
          <ul className="plain">
            {permissions.map((one) => (
              <li key={one}>{label('permission', one)}</li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>Frameworks</dt>
        <dd>{frameworks === null ? 'all' : frameworks.map((one) => label('framework', one)).join(', ')}</dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>{periodStart === null ? 'the first record' : <Time at={periodStart} />}</dd>
      </div>
      <div>
        <dt>To</dt>
        <dd>{periodEnd === null ? 'no end date' : <Time at={periodEnd} />}</dd>
      </div>
    </dl>
  );
}

const madeBy = (createdByKeyId: string | null): string => {
  if (createdByKeyId === null) return 'by the platform';
  return createdByKeyId.startsWith('user:') ? 'by a signed-in user' : 'via API key';
};

function History({ auditor }: { readonly auditor: Auditor }) {
  const { status, createdAt, createdByKeyId, revokedAt, expiresAt, prefix } = auditor;
  return (
    <dl className="facts">
      <div>
        <dt>Token</dt>
        <dd>
          <code>{prefix}…</code>
        </dd>
      </div>
      <div>
        <dt>Created</dt>
        <dd title={createdByKeyId ?? undefined}>
          <Time at={createdAt} /> {madeBy(createdByKeyId)}
        </dd>
      </div>
      <div>
        <dt>{status === 'expired' ? 'Expired' : 'Expires'}</dt>
        <dd>
          <Time at={expiresAt} withAge />
        </dd>
      </div>
      {revokedAt !== null && (
        <div>
          <dt>Revoked</dt>
          <dd>
            <Time at={revokedAt} withAge />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** One auditor: what they may see, until when, and how to revoke it. */
export function AuditorCard({ auditor }: { readonly auditor: Auditor }) {
  const { id, name, email, status } = auditor;
  const api = useApi();
  const queries = useQueryClient();
  const [isConfirming, setIsConfirming] = useState(false);
  const revoke = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(revokeAuditor, { params: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [listAuditors.path] });
      setIsConfirming(false);
    },
  });
  return (
    <li className="record" data-ended={status !== 'active'}>
      <header>
        <h3>{name}</h3>
        <span className="plan">{label('accessStatus', status)}</span>
      </header>
      {email !== null && <span className="muted">{email}</span>}
      <Scope auditor={auditor} />
      <History auditor={auditor} />
      {status === 'active' && !isConfirming && (
        <Button
          className="button danger"
          aria-label={`Revoke: ${name}`}
          onPress={() => setIsConfirming(true)}
        >
          Revoke
        </Button>
      )}
      {status === 'active' && isConfirming && (
        <TypedConfirmation
          expected={name}
          label={`Type ${name} to confirm`}
          action="Revoke access"
          isPending={revoke.isPending}
          fault={revoke.error}
          onConfirm={() => revoke.mutate()}
          onLeave={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}
