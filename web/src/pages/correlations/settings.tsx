import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Form } from 'react-aria-components';
import type { ShownCorrelationSettings } from '#schemas/api/evidence/correlation-settings.ts';
import { getCorrelationSettings, updateCorrelationSettings } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { useSubmitKeys } from '../../api/submit-keys.ts';
import { useGet } from '../../api/use-get.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { Time } from '../../ui/time.tsx';
import { type ScanSettings, SettingsFields, settingsIn } from './settings-fields.tsx';

function SettingsForm({ settings }: { readonly settings: ShownCorrelationSettings }) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useSubmitKeys();
  const save = useMutation<unknown, Fault, ScanSettings>({
    mutationFn: (body) => api.call(updateCorrelationSettings, { body, idempotencyKey: keys.keyOf(body) }),
    onSuccess: () => {
      keys.accepted();
      return queries.invalidateQueries({ queryKey: [getCorrelationSettings.path] });
    },
  });
  const { version, updatedAt } = settings;
  return (
    <Form
      key={version}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(settingsIn(new FormData(event.currentTarget)));
      }}
    >
      <p className="muted">
        {updatedAt === null ? (
          'Default settings'
        ) : (
          <>
            Version {version}, changed <Time at={updatedAt} withAge />
          </>
        )}
      </p>
      <SettingsFields value={settings} />
      {save.error !== null && <FaultNote fault={save.error} />}
      <Button type="submit" className="button primary" isDisabled={save.isPending}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
      <p role="status">{save.isSuccess && 'Saved. Applies to new signals.'}</p>
      <p className="muted">
        Each change is recorded in the ledger and counts toward your plan’s daily changes. Changing the window
        ends ongoing patterns. Patterns that need a group you turn off are no longer detected.
      </p>
    </Form>
  );
}

/** The settings of detection in real time. */
export function Settings({ onClose }: { readonly onClose: () => void }) {
  const { data, error, refetch } = useGet(getCorrelationSettings);
  return (
    <SideSheet title="Pattern settings" onClose={onClose}>
      {error !== null && <FaultNote fault={error} retry={() => void refetch()} />}
      {data === undefined && error === null && (
        <p className="muted" role="status">
          Loading…
        </p>
      )}
      {data !== undefined && <SettingsForm settings={data.data} />}
    </SideSheet>
  );
}
