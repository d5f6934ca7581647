import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from 'react-aria-components';
import type { SignalErasureShown } from '#schemas/api/evidence/retention/erasures.ts';
import { isId } from '#schemas/api/fields/is-id.ts';
import {
  eraseSignal,
  getReconciliation,
  getSignal,
  getStats,
  getTimeseries,
  listSignals,
} from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { useGet } from '../../api/use-get.ts';
import { violationsText } from '../../labels/label.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Check } from '../../ui/form/checks.tsx';
import { Level } from '../../ui/level.tsx';
import { Time } from '../../ui/time.tsx';
import { Erasure } from './erasure.tsx';
import { isOfRetention } from './queries.ts';

/** Queries that show or count signals. */
const SIGNALS = [listSignals, getStats, getTimeseries, getReconciliation];

/** Shows what will be erased. A failed audit has no signal, and can be erased too. */
function Meant({ id }: { readonly id: string }) {
  const { data, error, isPlaceholderData, refetch } = useGet(getSignal, { params: { id } });
  if (error !== null)
    return error.status === 404 ? (
      <p>No signal has this ID. If it belongs to a failed audit, you can still erase the audit.</p>
    ) : (
      <FaultNote fault={error} retry={() => void refetch()} />
    );
  if (data === undefined || isPlaceholderData)
    return (
      <p className="muted" role="status">
        Loading…
      </p>
    );
  const { riskLevel, createdAt, sandboxSlug, violations } = data.data;
  return (
    <p className="sheet-summary">
      <Level level={riskLevel} /> <Time at={createdAt} withAge /> <span>{sandboxSlug}</span>{' '}
      <span>{violationsText(violations)}</span>
    </p>
  );
}

interface Request {
  readonly id: string;
  readonly isOfSubject: boolean;
}

/** Erases one signal by its typed id, and shows the proof. */
export function EraseSignal() {
  const api = useApi();
  const queries = useQueryClient();
  const titleId = useId();
  const [typed, setTyped] = useState('');
  const id = typed.trim().toLowerCase();
  const canErase = isId(id);
  const erase = useMutation<SignalErasureShown, Fault, Request>({
    mutationFn: async (request) => {
      const query = { reason: request.isOfSubject ? 'DATA_SUBJECT_REQUEST' : undefined };
      return (await api.call(eraseSignal, { params: { id: request.id }, query })).data;
    },
    onSuccess: () => {
      setTyped('');
      void queries.invalidateQueries({ predicate: isOfRetention });
      // Lists and numbers still contain what is gone.
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => SIGNALS.some(({ path }) => String(queryKey[0]).startsWith(path)),
      });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const isOfSubject = new FormData(event.currentTarget).has('isOfSubject');
    if (canErase && !erase.isPending) erase.mutate({ id, isOfSubject });
  };
  return (
    <section className="card tile" data-size="full" aria-labelledby={titleId}>
      <h2 id={titleId}>Erase a signal</h2>
      <form onSubmit={submit}>
        <p className="muted">
          This can’t be undone. The ledger stays verifiable, and the erasure is recorded in it.
        </p>
        <Field
          label="Signal ID"
          value={typed}
          onChange={setTyped}
          maxLength={64}
          autoComplete="off"
          spellCheck="false"
        />
        {canErase && <Meant key={id} id={id} />}
        <Check
          label="Requested by the data subject"
          name="isOfSubject"
          says="– overrides open incidents and retention policies, not legal holds"
        />
        {erase.error !== null && <FaultNote fault={erase.error} />}
        <div className="buttons">
          <Button type="submit" className="button danger" isDisabled={!canErase || erase.isPending}>
            {erase.isPending ? 'Erasing…' : 'Erase permanently'}
          </Button>
        </div>
      </form>
      {erase.data !== undefined && <Erasure key={erase.data.signalId} started={erase.data} />}
    </section>
  );
}
