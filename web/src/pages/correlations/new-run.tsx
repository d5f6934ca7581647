import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button, Form } from 'react-aria-components';
import type { ShownCorrelationRun } from '#schemas/api/evidence/correlations.ts';
import { detectCorrelations, getStats, listCorrelations } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { useSubmitKeys } from '../../api/submit-keys.ts';
import { useGet } from '../../api/use-get.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { BY_DEFAULT, SettingsFields, settingsIn } from './settings-fields.tsx';

interface NewRunProps {
  readonly onClose: () => void;
  readonly onStarted: (run: ShownCorrelationRun) => void;
}

function bodyOf(form: HTMLFormElement) {
  const sent = new FormData(form);
  const textOf = (name: string): string | undefined => String(sent.get(name) ?? '').trim() || undefined;
  return {
    startDate: textOf('startDate'),
    endDate: textOf('endDate'),
    sandboxSlug: textOf('sandboxSlug'),
    ...settingsIn(sent),
  };
}

function SandboxChoice() {
  const { data } = useGet(getStats);
  return (
    <div className="field">
      <label htmlFor="run-sandbox">Sandbox</label>
      <select id="run-sandbox" name="sandboxSlug">
        <option value="">All sandboxes</option>
        {data?.sandboxBreakdown.map(({ slug }) => (
          <option key={slug}>{slug}</option>
        ))}
      </select>
    </div>
  );
}

/** Starts a scan of past signals. */
export function NewRun({ onClose, onStarted }: NewRunProps) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = useSubmitKeys();
  const start = useMutation<ShownCorrelationRun, Fault, ReturnType<typeof bodyOf>>({
    mutationFn: async (body) => {
      const idempotencyKey = keys.keyOf(body);
      const sent = { body, idempotencyKey } as const;
      return (await api.call(detectCorrelations, sent)).data;
    },
    onSuccess: (run) => {
      keys.accepted();
      queries.setQueryData([listCorrelations.path, 'one', run.id], run);
      void queries.invalidateQueries({ queryKey: [listCorrelations.path] });
      onStarted(run);
    },
  });
  return (
    <SideSheet title="Scan history" onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(bodyOf(event.currentTarget));
        }}
      >
        <Field
          label="From (UTC)"
          name="startDate"
          type="date"
          description="Optional. Default: last 30 days"
        />
        <Field label="To (UTC)" name="endDate" type="date" description="Optional. Default: now" />
        <SandboxChoice />
        <SettingsFields value={BY_DEFAULT} />
        {start.error !== null && <FaultNote fault={start.error} />}
        {start.isPending && (
          <p className="muted" role="status">
            Scanning… A scan that takes longer than ten seconds continues in the background.
          </p>
        )}
        <Button type="submit" className="button primary" isDisabled={start.isPending}>
          {start.isPending ? 'Scanning…' : 'Start'}
        </Button>
        <p className="muted">Baseline: the previous 28 days. The last 20 scans are kept.</p>
      </Form>
    </SideSheet>
  );
}
