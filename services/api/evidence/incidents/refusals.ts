import { Refusal } from '#platform/flow/refusal.ts';
import type { CustomerRecord } from '#records/customers/customer-record.ts';
import type { MovedIncident } from '#records/incidents/move-incident.ts';
import type { OpenedIncident } from '#records/incidents/open-incident.ts';
import type { IncidentStatus } from '#schemas/vocabulary.ts';
import { beyondBudget } from '../../operations/beyond-budget.ts';

type RefusalOf<Result extends { readonly ok: boolean }> = Exclude<Result, { readonly ok: true }>;
type Clock = { readonly now: () => number };

export const noSignal = (): Refusal =>
  new Refusal('NOT_FOUND', {
    message: 'No signal with this signalId is stored; that of an audit is there once the audit is COMPLETED',
  });

export function refusalOfNew(
  clock: Clock,
  customer: CustomerRecord,
  refused: RefusalOf<OpenedIncident>,
): Refusal {
  if (refused.reason === 'BUDGET') return beyondBudget(clock, customer, refused.exceeded);
  return new Refusal('SIGNAL_INCIDENTS_REACHED');
}

/** What somebody did before, and who should make the move instead. */
const SEGREGATION_TEXTS = {
  OTHER_ROLE:
    'This user has acted under another role in this incident, and keeps that role; send that role, or ask somebody else',
  WORKERS:
    'This user has investigated, remedied or resolved this incident; somebody who did not has to verify it',
  RESOLVER: 'This user has resolved this incident; somebody else has to close it',
  INVESTIGATOR: 'This user investigates this incident; somebody else has to dismiss it',
} as const;

export function refusalOfMove(
  clock: Clock,
  customer: CustomerRecord,
  to: IncidentStatus,
  refused: RefusalOf<MovedIncident>,
): Refusal {
  switch (refused.reason) {
    case 'NOT_FOUND':
      return new Refusal('NOT_FOUND');
    case 'STATUS': {
      const allowed = [...refused.allowed];
      const message = `An incident that is ${refused.from} cannot be moved to ${to}; move it to ${allowed.join(' or ')}`;
      return new Refusal('INVALID_STATUS_TRANSITION', { message, details: { allowed } });
    }
    case 'ROLE': {
      const message = `This role may not move an incident from ${refused.from} to ${to}; it takes one of ${refused.roles.join(', ')}`;
      return new Refusal('ROLE_NOT_ALLOWED', { message });
    }
    case 'SEGREGATION':
      return new Refusal('SEGREGATION_OF_DUTIES', { message: SEGREGATION_TEXTS[refused.fault] });
    case 'VERSION':
      return new Refusal('VERSION_CONFLICT');
    case 'OTHER_OPEN':
      return new Refusal('INCIDENT_OPEN');
    case 'TRANSITION_LIMIT':
      return new Refusal('TRANSITION_LIMIT_REACHED');
    case 'BUDGET':
      return beyondBudget(clock, customer, refused.exceeded);
  }
}
