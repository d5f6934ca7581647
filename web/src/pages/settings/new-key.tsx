import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button, Form } from 'react-aria-components';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import { createOwnApiKey, listOwnApiKeys } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { CopyButton } from '../../ui/form/copy-button.tsx';

type Created = AnswerOf<typeof createOwnApiKey>['data'];

/** Shows a key for the only time: only this page holds it, until the user closes it. */
function Shown({ created, onKept }: { readonly created: Created; readonly onKept: () => void }) {
  const { name, prefix, key } = created;
  return (
    <div className="shown-key" role="status">
      {key === undefined ? (
        <p>
          The key {name} ({prefix}…) was created, but the response was lost and the key can’t be shown again.
          Revoke it and create another.
        </p>
      ) : (
        <>
          <p>
            <strong>Copy the key {name} now. You won’t see it again.</strong> Send it in the{' '}
            <code>x-service-key</code> header.
          </p>
          <pre>
            <code>{key}</code>
          </pre>
        </>
      )}
      <div className="buttons">
        {key !== undefined && <CopyButton text={key}>Copy</CopyButton>}
        <Button className="button" onPress={onKept}>
          Done
        </Button>
      </div>
    </div>
  );
}

export function NewKey() {
  const api = useApi();
  const queries = useQueryClient();
  const [created, setCreated] = useState<Created | null>(null);
  // The same key for each attempt of one submit, so that a lost response creates no second API key; another name is
  // another submit.
  const submit = useRef<{ readonly name: string; readonly key: string } | null>(null);
  const create = useMutation<void, Fault, string>({
    // The key is not the mutation's result, because results are cached for a while.
    mutationFn: async (name) => {
      if (submit.current?.name !== name) submit.current = { name, key: newIdempotencyKey() };
      const { data } = await api.call(createOwnApiKey, {
        body: name === '' ? {} : { name },
        idempotencyKey: submit.current.key,
      });
      submit.current = null;
      setCreated(data);
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: [listOwnApiKeys.path] }),
  });
  if (created !== null) return <Shown created={created} onKept={() => setCreated(null)} />;
  return (
    <Form
      className="new-key"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim());
      }}
    >
      <Field
        label="Key name"
        name="name"
        maxLength={128}
        autoComplete="off"
        description="Optional, e.g. billing-production."
      />
      {create.error !== null && <FaultNote fault={create.error} />}
      <Button type="submit" className="button primary" isDisabled={create.isPending}>
        {create.isPending ? 'Creating…' : 'Create key'}
      </Button>
    </Form>
  );
}
