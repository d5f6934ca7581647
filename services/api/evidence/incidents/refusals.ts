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
    message: 'Signal not found. The signal of an audit exists once the audit is COMPLETED.',
  });

export function refusalOfNew(
  clock: Clock,
  customer: CustomerRecord,
  refused: RefusalOf<OpenedIncident>,
): Refusal {
  if (refused.reason === 'BUDGET') return beyondBudget(clock, customer, refused.exceeded);
  return new Refusal('SIGNAL_INCIDENTS_REACHED');
}

/** What the user did before, and who should make the move instead. */
const SEGREGATION_TEXTS = {
  OTHER_ROLE:
    'Separation of duties: this user acted in another role in this incident. Use that role, or ask another user.',
  WORKERS:
    'Separation of duties: this user investigated, remediated or resolved the incident. Another user must verify it.',
  RESOLVER: 'Separation of duties: this user resolved the incident. Another user must close it.',
  INVESTIGATOR:
    'Separation of duties: this user is investigating the incident. Another user must dismiss it.',
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
      const message = `Status cannot change from ${refused.from} to ${to}. Allowed: ${allowed.join(', ')}.`;
      return new Refusal('INVALID_STATUS_TRANSITION', { message, details: { allowed } });
    }
    case 'ROLE': {
      const message = `This role cannot change the status from ${refused.from} to ${to}. Roles that can: ${refused.roles.join(', ')}.`;
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
