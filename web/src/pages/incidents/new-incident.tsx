import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Form } from 'react-aria-components';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import { createIncident, listIncidents } from '#schemas/endpoints.ts';
import { signalsAddress } from '../../address/signal-filters.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { useSubmitKeys } from '../../api/submit-keys.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { LongField } from '../../ui/form/long-field.tsx';
import { PageLink } from '../../ui/page-link.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { utcOf } from './deadline.ts';

interface NewIncidentProps {
  /** From the address; empty: to be filled in. */
  readonly signalId: string;
  readonly onClose: () => void;
  readonly onOpened: (incident: Incident) => void;
}

/** Completed fields; the service has defaults for the others. */
function bodyOf(form: HTMLFormElement) {
  const sent = new FormData(form);
  const textOf = (name: string): string => String(sent.get(name) ?? '').trim();
  return {
    signalId: textOf('signalId'),
    title: textOf('title') || undefined,
    description: textOf('description') || undefined,
    dueAt: utcOf(textOf('dueAt')),
  };
}

export function NewIncident({ signalId, onClose, onOpened }: NewIncidentProps) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useSubmitKeys();
  const open = useMutation<Incident, Fault, ReturnType<typeof bodyOf>>({
    mutationFn: async (body) => {
      const idempotencyKey = keys.keyOf(body);
      const sent = { body, idempotencyKey } as const;
      return (await api.call(createIncident, sent)).data;
    },
    onSuccess: (incident) => {
      keys.accepted();
      void queries.invalidateQueries({ queryKey: [listIncidents.path] });
      onOpened(incident);
    },
  });
  return (
    <SideSheet title="New incident" onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          open.mutate(bodyOf(event.currentTarget));
        }}
      >
        <Field
          label="Signal"
          name="signalId"
          defaultValue={signalId}
          maxLength={64}
          autoComplete="off"
          isRequired
          description="Signal or audit ID"
        />
        {signalId !== '' && (
          <p>
            <PageLink to={signalsAddress({ open: signalId })}>View signal</PageLink>
          </p>
        )}
        <Field
          label="Title"
          name="title"
          maxLength={200}
          autoComplete="off"
          description="Optional. Default: risk level and violations."
        />
        <LongField label="Description" name="description" maxLength={4_000} />
        <Field
          label="Due (UTC)"
          name="dueAt"
          type="datetime-local"
          description="Optional. Default: the legal notification deadline, if any."
        />
        {open.error !== null && <FaultNote fault={open.error} />}
        <Button type="submit" className="button primary" isDisabled={open.isPending}>
          {open.isPending ? 'Creating…' : 'Create'}
        </Button>
        <p className="muted">If this signal already has an open incident, we’ll open that one.</p>
      </Form>
    </SideSheet>
  );
}
