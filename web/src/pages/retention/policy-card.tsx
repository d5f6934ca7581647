import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { ShownRetentionPolicy } from '#schemas/api/evidence/retention/policies.ts';
import type { RetentionStatus } from '#schemas/api/evidence/retention/status.ts';
import { deleteRetentionPolicy } from '#schemas/endpoints.ts';
import { useApi } from '../../api/api-context.ts';
import type { Fault } from '../../api/fault.ts';
import { counted, exactNumber } from '../../format/numbers.ts';
import { inSentence, label } from '../../labels/label.ts';
import { TypedConfirmation } from '../../ui/form/typed-confirmation.tsx';
import { Time } from '../../ui/time.tsx';
import { PolicyForm } from './policy-form.tsx';
import { isOfRetention } from './queries.ts';

interface PolicyCardProps {
  readonly policy: ShownRetentionPolicy;
  /** Signals still to be erased; null: not known, or not yet. */
  readonly left: RetentionStatus['policies'][number] | null;
}

function Facts({ policy, left }: PolicyCardProps) {
  const { retentionDays, framework, sandboxSlug, action, version, updatedAt, legalHold } = policy;
  return (
    <dl className="facts">
      <div>
        <dt>{legalHold ? 'Retention if the hold ends' : 'Retention'}</dt>
        <dd>{counted(retentionDays, 'day')}</dd>
      </div>
      <div>
        <dt>Then</dt>
        <dd>{inSentence(label('retentionAction', action))}</dd>
      </div>
      <div>
        <dt>Applies to</dt>
        <dd>
          {framework === null && sandboxSlug === null
            ? 'all signals'
            : [framework === null ? null : label('framework', framework), sandboxSlug]
                .filter((one) => one !== null)
                .join(' in ')}
        </dd>
      </div>
      {left !== null && (
        <>
          <div>
            <dt>Due in next run</dt>
            <dd>{exactNumber(left.eligible)}</dd>
          </div>
          <div>
            <dt>Overdue</dt>
            <dd>{left.overdue === 0 ? '0' : <strong>{exactNumber(left.overdue)}</strong>}</dd>
          </div>
          <div>
            <dt>Next run</dt>
            <dd>{left.nextRunAt === null ? 'none' : <Time at={left.nextRunAt} withAge />}</dd>
          </div>
        </>
      )}
      <div>
        <dt>Version {version}</dt>
        <dd>
          <Time at={updatedAt} />
        </dd>
      </div>
    </dl>
  );
}

type Doing = 'nothing' | 'changing' | 'deleting';

/** One policy, or the form that changes it. */
export function PolicyCard({ policy, left }: PolicyCardProps) {
  const { id, name, active, legalHold } = policy;
  const api = useApi();
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing>('nothing');
  const remove = useMutation<unknown, Fault, void>({
    mutationFn: () => api.call(deleteRetentionPolicy, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ predicate: isOfRetention }),
  });
  return (
    <li className="record" data-ended={!active}>
      <header>
        <h3>{name}</h3>
        {legalHold && <span className="plan">Legal hold</span>}
        {!active && <span className="plan">Inactive</span>}
      </header>
      {doing === 'changing' && <PolicyForm policy={policy} onDone={() => setDoing('nothing')} />}
      {doing !== 'changing' && <Facts policy={policy} left={left} />}
      {doing === 'deleting' && (
        <TypedConfirmation
          expected={name}
          label={`Type ${name} to confirm`}
          action={legalHold ? 'End hold' : 'Delete policy'}
          isPending={remove.isPending}
          fault={remove.error}
          onConfirm={() => remove.mutate()}
          onLeave={() => setDoing('nothing')}
        />
      )}
      {doing === 'nothing' && (
        <div className="buttons">
          <Button className="button" aria-label={`Edit: ${name}`} onPress={() => setDoing('changing')}>
            Edit
          </Button>
          <Button
            className="button danger"
            aria-label={`Delete: ${name}`}
            onPress={() => setDoing('deleting')}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}
