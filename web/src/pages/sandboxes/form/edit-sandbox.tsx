import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, Form } from 'react-aria-components';
import { targetOf } from '#schemas/api/openapi/request.ts';
import type { Sandbox } from '#schemas/api/sandboxes.ts';
import {
  deleteSandbox,
  getSandbox,
  getUsage,
  listSandboxes,
  listSandboxVersions,
  updateSandbox,
} from '#schemas/endpoints.ts';
import { useApi } from '../../../api/api-context.ts';
import type { Fault } from '../../../api/fault.ts';
import { FaultNote } from '../../../ui/fault-note.tsx';
import { TypedConfirmation } from '../../../ui/form/typed-confirmation.tsx';
import { changeOf, draftOf } from './draft.ts';
import { Fields } from './fields.tsx';

const pathOf = (slug: string): string => targetOf(getSandbox, { params: { id: slug } });

/** Refreshes everything that shows a sandbox. */
function useRefresh(slug: string): () => void {
  const queries = useQueryClient();
  return () => {
    const shown = [
      listSandboxes.path,
      pathOf(slug),
      targetOf(listSandboxVersions, { params: { id: slug } }),
      getUsage.path,
    ];
    for (const path of shown) void queries.invalidateQueries({ queryKey: [path] });
  };
}

function Delete({ slug, onDeleted }: { readonly slug: string; readonly onDeleted: () => void }) {
  const api = useApi();
  const refresh = useRefresh(slug);
  const [isConfirming, setIsConfirming] = useState(false);
  const remove = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(deleteSandbox, { params: { id: slug } }),
    onSuccess: () => {
      refresh();
      onDeleted();
    },
  });
  return (
    <section className="card" aria-label="Delete sandbox">
      <p>
        New audits and scans for this sandbox will be rejected. Its signals are kept, and its slug stays
        reserved. This can’t be undone.
      </p>
      {isConfirming ? (
        <TypedConfirmation
          expected={slug}
          label={`Type ${slug} to confirm`}
          action="Delete sandbox"
          isPending={remove.isPending}
          fault={remove.error}
          onConfirm={() => remove.mutate()}
          onLeave={() => setIsConfirming(false)}
        />
      ) : (
        <Button className="button danger" onPress={() => setIsConfirming(true)}>
          Delete
        </Button>
      )}
    </section>
  );
}

interface EditSandboxProps {
  /** The current version. */
  readonly sandbox: Sandbox;
  readonly onDeleted: () => void;
}

/**
 * Sandbox settings. Reports changes that others save meanwhile, and keeps them where the setting was not changed here.
 */
export function EditSandbox({ sandbox, onDeleted }: EditSandboxProps) {
  const api = useApi();
  const { slug } = sandbox;
  const refresh = useRefresh(slug);
  const queries = useQueryClient();
  const [started, setStarted] = useState(sandbox);
  const [draft, setDraft] = useState(() => draftOf(sandbox));
  const change = changeOf(draftOf(started), draft);
  const isChanged = Object.keys(change).length > 0;
  const isDeleted = sandbox.deletedAt !== undefined;
  const start = (from: Sandbox): void => {
    setStarted(from);
    setDraft(draftOf(from));
  };
  const save = useMutation<Sandbox, Fault, void>({
    mutationFn: () => api.call(updateSandbox, { params: { id: slug }, body: change }),
    onSuccess: (saved) => {
      start(saved);
      queries.setQueriesData({ queryKey: [pathOf(slug)] }, { ...saved, data: saved });
      refresh();
    },
  });
  return (
    <>
      <Form
        // A new version resets fields that keep their input.
        key={started.version}
        className="card sandbox-form"
        aria-label="Settings"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) save.mutate();
        }}
      >
        {sandbox.version > started.version && (
          <p className="stale-note" role="status">
            Version {sandbox.version} was saved elsewhere.{' '}
            <Button className="link-button" onPress={() => start(sandbox)}>
              Reload
            </Button>
            , or save: only your changes are applied.
          </p>
        )}
        <Fields
          draft={draft}
          isDisabled={isDeleted || save.isPending}
          onChange={(changed) => setDraft((former) => ({ ...former, ...changed }))}
        />
        {save.error !== null && <FaultNote fault={save.error} />}
        {!isDeleted && (
          <div className="buttons">
            <Button type="submit" className="button primary" isDisabled={!isChanged || save.isPending}>
              {save.isPending ? 'Saving…' : 'Save'}
            </Button>
            {isChanged && (
              <Button className="button" onPress={() => start(sandbox)}>
                Discard changes
              </Button>
            )}
            <span className="muted" role="status">
              {save.isSuccess && !isChanged ? `Saved as version ${started.version}` : ''}
            </span>
          </div>
        )}
      </Form>
      {!isDeleted && <Delete slug={slug} onDeleted={onDeleted} />}
    </>
  );
}
