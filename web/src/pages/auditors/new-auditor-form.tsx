import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { createAuditor, listAuditors } from '#schemas/endpoints.ts';
import { AUDITOR_PERMISSIONS, FRAMEWORKS } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { createSubmitKeys } from '../../api/submit-keys.ts';

import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Checks } from '../../ui/form/checks.tsx';
import { checkedIn, typedIn } from '../../ui/form/form-values.ts';
import { asOptions } from '../../ui/form/select-field.tsx';
import type { MadeAuditor } from './handed-out.tsx';

const PERMISSIONS = asOptions(AUDITOR_PERMISSIONS, 'permission');

/** The request body, without empty fields. */
function bodyOf(form: FormData) {
  const frameworks = checkedIn(form, 'frameworks', FRAMEWORKS);
  return {
    name: typedIn(form, 'name'),
    email: typedIn(form, 'email'),
    permissions: checkedIn(form, 'permissions', AUDITOR_PERMISSIONS),
    frameworks: frameworks.length === 0 ? undefined : frameworks,
    periodStart: typedIn(form, 'periodStart'),
    periodEnd: typedIn(form, 'periodEnd'),
    expiresAt: typedIn(form, 'expiresAt'),
  };
}

function Fields() {
  return (
    <>
      <div className="form-grid">
        <Field label="Name" name="name" maxLength={128} description="Name and company." isRequired />
        <Field label="Email (optional)" name="email" type="email" maxLength={254} autoComplete="off" />
      </div>
      <div className="form-grid">
        <Checks legend="Permissions" name="permissions" options={PERMISSIONS} />
        <Checks
          legend="Limit to frameworks"
          name="frameworks"
          options={asOptions(FRAMEWORKS, 'framework')}
          description="Default: no limit. Otherwise, only sandboxes tagged with one of them."
        />
      </div>
      <div className="form-grid">
        <Field label="Earliest date (optional)" name="periodStart" type="date" />
        <Field label="Latest date (optional)" name="periodEnd" type="date" />
        <Field
          label="Expires (optional)"
          name="expiresAt"
          type="date"
          description="At the end of that day, UTC. Default: 30 days; at most 365."
        />
      </div>
    </>
  );
}

/** Creates read-only access. `onMade` gets the token, which no other response contains. */
export function NewAuditorForm({ onMade }: { readonly onMade: (made: MadeAuditor) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useMemo(() => createSubmitKeys(), []);
  const form = useRef<HTMLFormElement>(null);
  const maker = useRef<HTMLDetailsElement>(null);
  const [isNothingChosen, setIsNothingChosen] = useState(false);
  const make = useMutation<MadeAuditor, Fault, ReturnType<typeof bodyOf>>({
    mutationFn: async (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) } as const;
      return (await api.call(createAuditor, sent)).data;
    },
    // The response contains the token: only the page that shows it keeps it.
    gcTime: 0,
    onSuccess: (made) => {
      keys.accepted();
      form.current?.reset();
      maker.current?.removeAttribute('open');
      onMade(made);
      make.reset();
      void queries.invalidateQueries({ queryKey: [listAuditors.path] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const body = bodyOf(new FormData(event.currentTarget));
    setIsNothingChosen(body.permissions.length === 0);
    if (body.permissions.length > 0) make.mutate(body);
  };
  return (
    <details className="card maker" ref={maker}>
      <summary>Invite auditor</summary>
      <form ref={form} onSubmit={submit}>
        <p className="muted">
          A read-only link, no account needed. Every request is recorded in your ledger.
        </p>
        <Fields />
        {isNothingChosen && (
          <p className="field-error" role="alert">
            Select at least one permission.
          </p>
        )}
        {make.error !== null && <FaultNote fault={make.error} />}
        <div className="buttons">
          <Button type="submit" className="button primary" isDisabled={make.isPending}>
            {make.isPending ? 'Creating…' : 'Create access'}
          </Button>
        </div>
      </form>
    </details>
  );
}
