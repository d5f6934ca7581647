import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import { floorDays } from '#core/evidence/retention/floors.ts';
import type { ShownRetentionPolicy } from '#schemas/api/evidence/retention/policies.ts';
import { createRetentionPolicy, listSandboxes, updateRetentionPolicy } from '#schemas/endpoints.ts';
import { FRAMEWORKS, RETENTION_ACTIONS } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { createSubmitKeys } from '../../api/submit-keys.ts';
import { useList } from '../../api/use-list.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Check } from '../../ui/form/checks.tsx';
import { chosenIn, numberIn, typedIn } from '../../ui/form/form-values.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { isOfRetention } from './queries.ts';

const ACTIONS = [
  { value: 'DELETE', label: 'Delete the signal' },
  { value: 'ANONYMIZE', label: 'Anonymize: remove explanation and matches' },
];

/** Each framework with its minimum retention, if any. */
const APPLIES = [
  { value: '', label: 'Any framework' },
  ...FRAMEWORKS.map((value) => {
    const floor = floorDays(value);
    return {
      value,
      label: `${label('framework', value)}${floor === 0 ? '' : ` (at least ${exactNumber(floor)} days)`}`,
    };
  }),
];

const bodyOf = (form: FormData) => ({
  name: typedIn(form, 'name'),
  retentionDays: numberIn(form, 'retentionDays'),
  framework: typedIn(form, 'framework') ?? null,
  sandboxSlug: typedIn(form, 'sandboxSlug') ?? null,
  action: chosenIn(form, 'action', RETENTION_ACTIONS, 'DELETE'),
  legalHold: form.has('legalHold'),
  active: form.has('active'),
});

interface PolicyFormProps {
  /** Null: a new one. */
  readonly policy: ShownRetentionPolicy | null;
  readonly onDone: () => void;
}

function useSave({ policy, onDone }: PolicyFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useMemo(() => createSubmitKeys(), []);
  return useMutation<unknown, Fault, ReturnType<typeof bodyOf>>({
    mutationFn: (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) };
      return policy === null
        ? api.call(createRetentionPolicy, sent)
        : api.call(updateRetentionPolicy, { params: { id: policy.id }, ...sent });
    },
    onSuccess: async () => {
      keys.accepted();
      await queries.invalidateQueries({ predicate: isOfRetention });
      onDone();
    },
  });
}

function Fields({ policy }: Pick<PolicyFormProps, 'policy'>) {
  const sandboxes = useList(listSandboxes);
  const known = (sandboxes.data?.rows ?? []).map(({ slug }) => slug);
  const slugs = [...new Set([...known, ...(policy?.sandboxSlug == null ? [] : [policy.sandboxSlug])])];
  return (
    <>
      <div className="form-grid">
        <Field label="Name" name="name" maxLength={128} defaultValue={policy?.name ?? ''} isRequired />
        <Field
          label="Retention (days)"
          name="retentionDays"
          inputMode="numeric"
          pattern="[0-9]{1,5}"
          defaultValue={String(policy?.retentionDays ?? '365')}
          isRequired
        />
        <SelectField label="Then" name="action" options={ACTIONS} defaultValue={policy?.action ?? 'DELETE'} />
        <SelectField
          label="Framework"
          name="framework"
          options={APPLIES}
          defaultValue={policy?.framework ?? ''}
          description="Signals from sandboxes that have ever included this framework."
        />
        <SelectField
          key={slugs.join(' ')}
          label="Sandbox"
          name="sandboxSlug"
          options={[
            { value: '', label: 'All sandboxes' },
            ...slugs.map((value) => ({ value, label: value })),
          ]}
          defaultValue={policy?.sandboxSlug ?? ''}
        />
      </div>
      <Check
        label="Legal hold"
        name="legalHold"
        defaultChecked={policy?.legalHold ?? false}
        says="– nothing this policy covers can be erased, starting immediately"
      />
      <Check label="Active" name="active" defaultChecked={policy?.active ?? true} />
    </>
  );
}

/** Creates or changes a retention policy. Says that erased signals can’t be restored. */
export function PolicyForm({ policy, onDone }: PolicyFormProps) {
  const save = useSave({ policy, onDone });
  const [isTouched, setIsTouched] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save.mutate(bodyOf(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={submit} onChange={() => setIsTouched(true)}>
      <Fields policy={policy} />
      <p className="muted">Erased signals can’t be restored. The next run starts within a day.</p>
      {save.error !== null && <FaultNote fault={save.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={save.isPending}>
          {policy === null ? 'Create policy' : 'Save changes'}
        </Button>
        <Button className="button" onPress={onDone}>
          {isTouched ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </form>
  );
}
