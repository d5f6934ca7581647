import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import { Button } from 'react-aria-components';
import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import { createPackage, listPackages } from '#schemas/endpoints.ts';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { createSubmitKeys } from '../../api/submit-keys.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Check } from '../../ui/form/checks.tsx';
import { typedIn } from '../../ui/form/form-values.ts';
import { asOptions, SelectField } from '../../ui/form/select-field.tsx';

const MONTH_MS = 30 * 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const bodyOf = (form: FormData) => ({
  framework: typedIn(form, 'framework'),
  startDate: typedIn(form, 'startDate'),
  endDate: typedIn(form, 'endDate'),
  includeIncidents: form.has('includeIncidents'),
  includeHashChain: form.has('includeHashChain'),
});

/** Requests a package. `onRequested` gets the new or existing one. */
export function NewPackageForm({
  onRequested,
}: {
  readonly onRequested: (requested: EvidencePackage) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useMemo(() => createSubmitKeys(), []);
  const today = useMemo(() => Date.now(), []);
  const ask = useMutation<EvidencePackage, Fault, ReturnType<typeof bodyOf>>({
    mutationFn: async (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) } as const;
      return (await api.call(createPackage, sent)).data;
    },
    onSuccess: (requested) => {
      keys.accepted();
      onRequested(requested);
      void queries.invalidateQueries({ queryKey: [listPackages.path] });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    ask.mutate(bodyOf(new FormData(event.currentTarget)));
  };
  return (
    <form className="card asked" onSubmit={submit} aria-label="Create package">
      <div className="form-grid">
        <SelectField
          label="Framework"
          name="framework"
          options={asOptions(FRAMEWORKS, 'framework')}
          description="Covers sandboxes tagged with this framework (all, if none is)."
        />
        <Field
          label="From"
          name="startDate"
          type="date"
          defaultValue={dayAt(today - MONTH_MS)}
          description="From the start of that day, UTC."
          isRequired
        />
        <Field
          label="To"
          name="endDate"
          type="date"
          defaultValue={dayAt(today)}
          description="Until the end of that day, UTC."
          isRequired
        />
      </div>
      <Check label="Include incident history" name="includeIncidents" defaultChecked />
      <Check
        label="Include ledger proofs"
        name="includeHashChain"
        says="to verify signals and incidents one by one"
        defaultChecked
      />
      {ask.error !== null && <FaultNote fault={ask.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={ask.isPending}>
          {ask.isPending ? 'Creating…' : 'Create package'}
        </Button>
      </div>
    </form>
  );
}
