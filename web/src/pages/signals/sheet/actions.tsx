import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Signal } from '#schemas/api/signals.ts';
import { createIncident, listIncidents } from '#schemas/endpoints.ts';
import { useApi } from '../../../api/api-context.ts';
import type { Fault } from '../../../api/fault.ts';
import { useGet } from '../../../api/use-get.ts';
import { incidentTitle } from '../../../labels/incident-title.ts';
import { label } from '../../../labels/label.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { PageLink } from '../../../ui/page-link.tsx';

/** A value unique to each submit. Works without a secure context, where `crypto.randomUUID` is missing. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Actions for a signal. */
export function Actions({ signal }: { readonly signal: Signal }) {
  const api = useApi();
  const queries = useQueryClient();
  const [isCopied, setIsCopied] = useState(false);
  const idempotencyKey = useMemo(newKey, []);
  const incidents = useGet(listIncidents, { query: { signalId: signal.id, limit: 3 } });
  const open = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(createIncident, { body: { signalId: signal.id }, idempotencyKey }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [listIncidents.path] }),
  });
  const known = incidents.data?.data ?? [];
  const isOpen = known.some(({ status }) => status !== 'CLOSED' && status !== 'DISMISSED');
  return (
    <section aria-label="Actions">
      <h3>Actions</h3>
      <ul className="plain rows" aria-live="polite">
        {known.map(({ id, title, severity, violations, status }) => (
          <li key={id}>
            Incident{' '}
            <PageLink to={`/incidents?open=${id}`}>{incidentTitle(title, severity, violations)}</PageLink>{' '}
            <span className="plan">{label('incidentStatus', status)}</span>
          </li>
        ))}
      </ul>
      {open.error !== null && <FaultNote fault={open.error} />}
      <div className="buttons">
        {!isOpen && (
          <Button className="button primary" isDisabled={open.isPending} onPress={() => open.mutate()}>
            Create incident
          </Button>
        )}
        {navigator.clipboard !== undefined && (
          <Button
            className="button"
            onPress={() => {
              void navigator.clipboard.writeText(window.location.href).then(
                () => setIsCopied(true),
                () => setIsCopied(false),
              );
            }}
          >
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
        )}
      </div>
    </section>
  );
}
