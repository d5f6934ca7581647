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
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Check } from '../../ui/form/checks.tsx';
import { chosenIn, numberIn, typedIn } from '../../ui/form/form-values.ts';
import { SelectField } from '../../ui/form/select-field.tsx';
import { isOfRetention } from './queries.ts';

const ACTIONS = [
  { value: 'DELETE', label: 'DELETE: the signal goes' },
  { value: 'ANONYMIZE', label: 'ANONYMIZE: explanation and detections go' },
];

/** Each framework with the least days that it asks for, where it names any. */
const APPLIES = [
  { value: '', label: 'whatever the framework' },
  ...FRAMEWORKS.map((value) => {
    const floor = floorDays(value);
    return { value, label: floor === 0 ? value : `${value} (at least ${exactNumber(floor)} days)` };
  }),
];

const wishIn = (form: FormData) => ({
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
  return useMutation<unknown, Fault, ReturnType<typeof wishIn>>({
    mutationFn: (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) };
      return policy === null
        ? api.call(createRetentionPolicy, sent)
        : api.call(updateRetentionPolicy, { params: { id: policy.id }, ...sent });
    },
    onSuccess: async () => {
      keys.taken();
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
          label="Days that signals are kept"
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
          description="Signals of sandboxes any version of which ever named it"
        />
        <SelectField
          key={slugs.join(' ')}
          label="Sandbox"
          name="sandboxSlug"
          options={[{ value: '', label: 'all' }, ...slugs.map((value) => ({ value, label: value }))]}
          defaultValue={policy?.sandboxSlug ?? ''}
        />
      </div>
      <Check
        label="Legal hold"
        name="legalHold"
        defaultChecked={policy?.legalHold ?? false}
        says="nothing that this applies to is erased by anybody, for no reason, from the answer on"
      />
      <Check label="Active" name="active" defaultChecked={policy?.active ?? true} />
    </>
  );
}

/** Makes a retention policy, or changes one. Before signals may go by it sooner, that is said. */
export function PolicyForm({ policy, onDone }: PolicyFormProps) {
  const save = useSave({ policy, onDone });
  const [isTouched, setIsTouched] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save.mutate(wishIn(new FormData(event.currentTarget)));
  };
  return (
    <form onSubmit={submit} onChange={() => setIsTouched(true)}>
      <Fields policy={policy} />
      <p className="muted">What a run erases does not come back. The next one is within a day.</p>
      {save.error !== null && <FaultNote fault={save.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={save.isPending}>
          {policy === null ? 'Make the policy' : 'Save the change'}
        </Button>
        <Button className="button" onPress={onDone}>
          {isTouched ? 'Leave it as it was' : 'Close'}
        </Button>
      </div>
    </form>
  );
}
