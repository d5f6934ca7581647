import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { createAuditor, listAuditors } from '#schemas/endpoints.ts';
import { AUDITOR_PERMISSIONS, FRAMEWORKS } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { createSubmitKeys } from '../../api/submit-keys.ts';
import { PERMISSION_LABELS } from '../../format/permissions.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Checks } from '../../ui/form/checks.tsx';
import { checkedIn, typedIn } from '../../ui/form/form-values.ts';
import { asOptions } from '../../ui/form/select-field.tsx';
import type { MadeAuditor } from './handed-out.tsx';

const PERMISSIONS = AUDITOR_PERMISSIONS.map((value) => ({ value, label: PERMISSION_LABELS[value] }));

/** As the service takes it: what was left open is left out. */
function wishIn(form: FormData) {
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
        <Field label="Name" name="name" maxLength={128} description="Who it is, and for whom" isRequired />
        <Field label="E-mail (optional)" name="email" type="email" maxLength={254} autoComplete="off" />
      </div>
      <div className="form-grid">
        <Checks legend="May see" name="permissions" options={PERMISSIONS} />
        <Checks
          legend="Of these frameworks alone"
          name="frameworks"
          options={asOptions(FRAMEWORKS)}
          description="None chosen: of all. Chosen: of sandboxes whose regulations name one of them."
        />
      </div>
      <div className="form-grid">
        <Field label="From (optional)" name="periodStart" type="date" description="Nothing older is shown" />
        <Field label="To (optional)" name="periodEnd" type="date" description="Nothing newer is shown" />
        <Field
          label="Expires (optional)"
          name="expiresAt"
          type="date"
          description="At the end of that day, UTC. In 30 days by default, in 365 at most"
        />
      </div>
    </>
  );
}

/** Gives somebody a view that changes nothing. `onMade` gets the token, which no other answer holds. */
export function NewAuditorForm({ onMade }: { readonly onMade: (made: MadeAuditor) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useMemo(() => createSubmitKeys(), []);
  const form = useRef<HTMLFormElement>(null);
  const maker = useRef<HTMLDetailsElement>(null);
  const [isNothingChosen, setIsNothingChosen] = useState(false);
  const make = useMutation<MadeAuditor, Fault, ReturnType<typeof wishIn>>({
    mutationFn: async (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) } as const;
      return (await api.call(createAuditor, sent)).data;
    },
    // The answer holds the token: nothing but the page that shows it keeps it.
    gcTime: 0,
    onSuccess: (made) => {
      keys.taken();
      form.current?.reset();
      maker.current?.removeAttribute('open');
      onMade(made);
      make.reset();
      void queries.invalidateQueries({ queryKey: [listAuditors.path] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const wish = wishIn(new FormData(event.currentTarget));
    setIsNothingChosen(wish.permissions.length === 0);
    if (wish.permissions.length > 0) make.mutate(wish);
  };
  return (
    <details className="card maker" ref={maker}>
      <summary>Give an auditor a view</summary>
      <form ref={form} onSubmit={submit}>
        <p className="muted">
          A token opens a page of its own without an account. It changes nothing, and each look is an entry of
          your hash chain.
        </p>
        <Fields />
        {isNothingChosen && (
          <p className="field-error" role="alert">
            Choose at least one thing that may be seen.
          </p>
        )}
        {make.error !== null && <FaultNote fault={make.error} />}
        <div className="buttons">
          <Button type="submit" className="button primary" isDisabled={make.isPending}>
            {make.isPending ? 'Giving the view' : 'Give the view'}
          </Button>
        </div>
      </form>
    </details>
  );
}
