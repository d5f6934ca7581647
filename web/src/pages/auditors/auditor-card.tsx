import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Auditor } from '#schemas/api/evidence/auditors/auditors.ts';
import { listAuditors, revokeAuditor } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { PERMISSION_LABELS } from '../../format/permissions.ts';
import { TypedConfirmation } from '../../ui/form/typed-confirmation.tsx';
import { Time } from '../../ui/time.tsx';

function Scope({ auditor }: { readonly auditor: Auditor }) {
  const { permissions, frameworks, periodStart, periodEnd } = auditor;
  return (
    <dl className="facts">
      <div>
        <dt>may see</dt>
        <dd>
          <ul className="plain">
            {permissions.map((one) => (
              <li key={one} title={one}>
                {PERMISSION_LABELS[one] ?? one}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>frameworks</dt>
        <dd>{frameworks === null ? 'all' : frameworks.join(', ')}</dd>
      </div>
      <div>
        <dt>from</dt>
        <dd>{periodStart === null ? 'the first record on' : <Time at={periodStart} />}</dd>
      </div>
      <div>
        <dt>to</dt>
        <dd>{periodEnd === null ? 'no end' : <Time at={periodEnd} />}</dd>
      </div>
    </dl>
  );
}

const madeBy = (createdByKeyId: string | null): string => {
  if (createdByKeyId === null) return 'the platform';
  return createdByKeyId.startsWith('user:') ? 'a signed-in user' : 'an API key';
};

function History({ auditor }: { readonly auditor: Auditor }) {
  const { status, createdAt, createdByKeyId, revokedAt, expiresAt, prefix } = auditor;
  return (
    <dl className="facts">
      <div>
        <dt>token</dt>
        <dd>
          <code>{prefix}…</code>
        </dd>
      </div>
      <div>
        <dt>given</dt>
        <dd title={createdByKeyId ?? undefined}>
          <Time at={createdAt} /> by {madeBy(createdByKeyId)}
        </dd>
      </div>
      <div>
        <dt>{status === 'expired' ? 'expired' : 'expires'}</dt>
        <dd>
          <Time at={expiresAt} withAge />
        </dd>
      </div>
      {revokedAt !== null && (
        <div>
          <dt>revoked</dt>
          <dd>
            <Time at={revokedAt} withAge />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** One auditor: what is shown to them, until when, and the way to end it. */
export function AuditorCard({ auditor }: { readonly auditor: Auditor }) {
  const { id, name, email, status } = auditor;
  const api = useApi();
  const queries = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const revoke = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(revokeAuditor, { params: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [listAuditors.path] });
      setIsAsked(false);
    },
  });
  return (
    <li className="record" data-ended={status !== 'active'}>
      <header>
        <h3>{name}</h3>
        <span className="plan">{status}</span>
      </header>
      {email !== null && <span className="muted">{email}</span>}
      <Scope auditor={auditor} />
      <History auditor={auditor} />
      {status === 'active' && !isAsked && (
        <Button className="button danger" aria-label={`Revoke: ${name}`} onPress={() => setIsAsked(true)}>
          Revoke
        </Button>
      )}
      {status === 'active' && isAsked && (
        <TypedConfirmation
          expected={name}
          label={`Type the name: ${name}`}
          action="Revoke at once"
          isPending={revoke.isPending}
          fault={revoke.error}
          onConfirm={() => revoke.mutate()}
          onLeave={() => setIsAsked(false)}
        />
      )}
    </li>
  );
}
