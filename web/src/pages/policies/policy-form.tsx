import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Policy } from '#schemas/api/evidence/policies.ts';
import { createPolicy, listPolicies, listSandboxes, updatePolicy } from '#schemas/endpoints.ts';
import { FRAMEWORKS } from '#schemas/vocabulary.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { createSubmitKeys } from '../../api/submit-keys.ts';
import { useList } from '../../api/use-list.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Check, Checks } from '../../ui/form/checks.tsx';
import { asOptions, SelectField } from '../../ui/form/select-field.tsx';
import { type PolicyRequest, policyIn } from './policy-wish.ts';
import { RuleFields, useRuleRows } from './rule-fields.tsx';

const ENFORCEMENTS = [
  { value: 'MONITOR', label: 'Monitor – report only' },
  { value: 'ENFORCE', label: 'Enforce – also run the action' },
];

interface PolicyFormProps {
  /** Null: a new one. */
  readonly policy: Policy | null;
  /** Null: nothing was created or changed. */
  readonly onDone: (saved: Policy | null) => void;
}

function useSave(policy: Policy | null, onDone: PolicyFormProps['onDone']) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useMemo(() => createSubmitKeys(), []);
  return useMutation<Policy, Fault, PolicyRequest>({
    mutationFn: async (body) => {
      const sent = { body, idempotencyKey: keys.keyOf(body) };
      const { data } =
        policy === null
          ? await api.call(createPolicy, sent)
          : await api.call(updatePolicy, { params: { id: policy.id }, ...sent });
      return data;
    },
    onSuccess: async (saved) => {
      keys.accepted();
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith(listPolicies.path),
      });
      onDone(saved);
    },
  });
}

function Basics({ policy }: { readonly policy: Policy | null }) {
  const sandboxes = useList(listSandboxes);
  const chosen = policy?.sandboxSlugs ?? [];
  // A policy may name a deleted sandbox, which stays until a user removes it.
  const slugs = [...new Set([...(sandboxes.data?.rows ?? []).map(({ slug }) => slug), ...chosen])];
  return (
    <>
      <div className="form-grid">
        <Field label="Name" name="name" maxLength={128} defaultValue={policy?.name ?? ''} isRequired />
        <Field
          label="Description (optional)"
          name="description"
          maxLength={4_000}
          defaultValue={policy?.description ?? ''}
        />
      </div>
      <div className="form-grid">
        <SelectField
          label="Framework"
          name="framework"
          options={asOptions(FRAMEWORKS, 'framework')}
          defaultValue={policy?.framework ?? 'GDPR'}
        />
        <SelectField
          label="Enforcement"
          name="enforcement"
          options={ENFORCEMENTS}
          defaultValue={policy?.enforcement ?? 'MONITOR'}
        />
      </div>
      {sandboxes.error !== null && <FaultNote fault={sandboxes.error} />}
      <Checks
        key={slugs.join(' ')}
        legend="Sandboxes"
        name="sandboxSlugs"
        options={asOptions(slugs)}
        chosen={chosen}
        description="Default: all sandboxes."
      />
      <Check
        label="Active"
        name="active"
        defaultChecked={policy?.active ?? true}
        says="– when off, the policy only reports"
      />
    </>
  );
}

/** Creates a policy, or a new version of one. */
export function PolicyForm({ policy, onDone }: PolicyFormProps) {
  const save = useSave(policy, onDone);
  const rows = useRuleRows(policy?.rules ?? []);
  const [isTouched, setIsTouched] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save.mutate(policyIn(new FormData(event.currentTarget), rows.numbers));
  };
  return (
    <form onSubmit={submit} onChange={() => setIsTouched(true)}>
      <Basics policy={policy} />
      <RuleFields rows={rows} />
      {save.error !== null && <FaultNote fault={save.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={save.isPending}>
          {policy === null ? 'Create policy' : 'Save new version'}
        </Button>
        <Button className="button" onPress={() => onDone(null)}>
          {isTouched ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </form>
  );
}
