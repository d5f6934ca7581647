import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import { createSandbox, getUsage, listSandboxes } from '#schemas/endpoints.ts';
import { useApi } from '../../../api/api-context.ts';
import type { Fault } from '../../../api/fault.ts';
import { newIdempotencyKey } from '../../../api/idempotency-key.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { Field } from '../../../ui/field.tsx';
import { bodyOf, NEW_DRAFT, slugOf } from './draft.ts';
import { Fields } from './fields.tsx';

interface NewSandboxProps {
  readonly onCreated: (slug: string) => void;
  readonly onLeave: () => void;
}

export function NewSandbox({ onCreated, onLeave }: NewSandboxProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(NEW_DRAFT);
  /** Null: derived from the name. */
  const [ownSlug, setOwnSlug] = useState<string | null>(null);
  const slug = ownSlug ?? slugOf(draft.name);
  // The same key for each attempt of one submit; a change before the next attempt makes it a new submit.
  const submit = useRef<{ readonly body: string; readonly key: string } | null>(null);
  const create = useMutation<Sandbox, Fault, void>({
    mutationFn: () => {
      const body = bodyOf(slug, draft);
      const text = JSON.stringify(body);
      if (submit.current?.body !== text) submit.current = { body: text, key: newIdempotencyKey() };
      const { key } = submit.current;
      return api.call(createSandbox, { body, idempotencyKey: key });
    },
    onSuccess: (sandbox) => {
      for (const path of [listSandboxes.path, getUsage.path])
        void queries.invalidateQueries({ queryKey: [path] });
      onCreated(sandbox.slug);
    },
  });
  return (
    <Form
      className="card sandbox-form"
      aria-label="New sandbox"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Fields
        draft={draft}
        isDisabled={false}
        onChange={(change) => setDraft((former) => ({ ...former, ...change }))}
      />
      <Field
        label="Slug"
        value={slug}
        isRequired
        minLength={2}
        maxLength={64}
        pattern="[a-z0-9]+([_\-][a-z0-9]+)*"
        autoComplete="off"
        onChange={setOwnSlug}
        description="Used in API calls. Lowercase letters, digits, - or _ (which count as the same). It can’t be changed later, and stays reserved after deletion."
      />
      {create.error !== null && <FaultNote fault={create.error} />}
      <div className="buttons">
        <Button type="submit" className="button primary" isDisabled={create.isPending}>
          {create.isPending ? 'Creating…' : 'Create sandbox'}
        </Button>
        <Button className="button" onPress={onLeave}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
