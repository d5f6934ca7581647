import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Policy } from '#schemas/api/evidence/policies.ts';
import { deletePolicy, listPolicies } from '#schemas/endpoints.ts';
import type { Period } from '../../address/period.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { TypedConfirmation } from '../../ui/form/typed-confirmation.tsx';
import { PolicyForm } from './policy-form.tsx';
import { Report } from './report.tsx';

interface PolicySheetProps {
  readonly policy: Policy;
  readonly period: Period;
  readonly onClose: () => void;
}

type Doing = 'nothing' | 'changing' | 'deleting';

function Deleting({
  policy,
  onCancel,
  onDeleted,
}: {
  readonly policy: Policy;
  readonly onCancel: () => void;
  readonly onDeleted: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(deletePolicy, { params: { id: policy.id } }),
    onSuccess: async () => {
      onDeleted();
      await queries.invalidateQueries({ queryKey: [listPolicies.path] });
    },
  });
  return (
    <>
      <p>This stops enforcement and reports. Past versions stay in the ledger.</p>
      <TypedConfirmation
        expected={policy.name}
        label={`Type ${policy.name} to confirm`}
        action="Delete policy"
        isPending={remove.isPending}
        fault={remove.error}
        onConfirm={() => remove.mutate()}
        onLeave={onCancel}
      />
    </>
  );
}

/** One policy: its report and its form. */
export function PolicySheet({ policy, period, onClose }: PolicySheetProps) {
  const [doing, setDoing] = useState<Doing>('nothing');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const rest = (): void => setDoing('nothing');
  return (
    <aside className="card sheet" aria-labelledby="policy-title">
      <header>
        <h2 id="policy-title" ref={title} tabIndex={-1}>
          {policy.name}
        </h2>
        <Button className="button" onPress={onClose}>
          Close
        </Button>
      </header>
      {doing === 'changing' && <PolicyForm policy={policy} onDone={rest} />}
      {doing === 'deleting' && <Deleting policy={policy} onCancel={rest} onDeleted={onClose} />}
      {doing === 'nothing' && (
        <>
          <div className="buttons">
            <Button className="button" onPress={() => setDoing('changing')}>
              Edit
            </Button>
            <Button className="button danger" onPress={() => setDoing('deleting')}>
              Delete
            </Button>
          </div>
          <Report policy={policy} period={period} />
        </>
      )}
    </aside>
  );
}
