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

/** The only time that a key is shown: this page holds it until it is put away, and nothing else does. */
function Shown({ created, onKept }: { readonly created: Created; readonly onKept: () => void }) {
  const { name, prefix, key } = created;
  return (
    <div className="shown-key" role="status">
      {key === undefined ? (
        <p>
          The key {name} ({prefix}…) was made by an earlier try of the same submit, whose answer was lost. It
          cannot be shown any more: revoke it and make another.
        </p>
      ) : (
        <>
          <p>
            <strong>The key {name}, shown this once.</strong> Only a hash of it is stored. Put it where
            secrets are kept, and send it as <code>x-service-key</code>.
          </p>
          <pre>
            <code>{key}</code>
          </pre>
        </>
      )}
      <div className="buttons">
        {key !== undefined && <CopyButton text={key}>Copy the key</CopyButton>}
        <Button className="button" onPress={onKept}>
          I have kept it
        </Button>
      </div>
    </div>
  );
}

export function NewKey() {
  const api = useApi();
  const queries = useQueryClient();
  const [created, setCreated] = useState<Created | null>(null);
  // The same for every try of one submit, so that a lost answer makes no second key; another name is another submit.
  const submit = useRef<{ readonly name: string; readonly key: string } | null>(null);
  const create = useMutation<void, Fault, string>({
    // Its result is no result of the mutation: those are remembered for a while.
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
        label="Name of a new key"
        name="name"
        maxLength={128}
        autoComplete="off"
        description="Where it will be used, as “billing, production”: it tells keys apart when one is to go."
      />
      {create.error !== null && <FaultNote fault={create.error} />}
      <Button type="submit" className="button primary" isDisabled={create.isPending}>
        {create.isPending ? 'Creating the key' : 'Create a key'}
      </Button>
    </Form>
  );
}
