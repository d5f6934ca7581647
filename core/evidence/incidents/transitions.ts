import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';

/** The fields of an incident that name the actors of the current round. */
export type ActorField = 'investigatorId' | 'resolverId' | 'verifierId' | 'closerId';

export interface Transition {
  readonly from: IncidentStatus;
  readonly to: IncidentStatus;
  readonly roles: readonly UserRole[];
  /**
   * Who may not make the move: no one, the user named in a field of the current round, or all who worked on the
   * incident in the current round.
   */
  readonly apartFrom: 'NOBODY' | 'INVESTIGATOR' | 'RESOLVER' | 'WORKERS';
  /** Counts as work on the incident: the user may not verify it. */
  readonly isWork: boolean;
  /** The field that names the user who made the move. */
  readonly sets: ActorField | null;
  /** What becomes void: the result alone, or the whole round. */
  readonly voids: 'NOTHING' | 'RESULT' | 'ROUND';
}

const ANY_ROLE: readonly UserRole[] = ['ANALYST', 'SECURITY_OFFICER', 'COMPLIANCE_OFFICER', 'DPO', 'ADMIN'];
/** The rules have no exception: an ADMIN is one of three oversight roles, with the same segregation. */
const OVERSIGHT: readonly UserRole[] = ['COMPLIANCE_OFFICER', 'DPO', 'ADMIN'];

const working = { roles: ANY_ROLE, apartFrom: 'NOBODY', isWork: true, sets: null, voids: 'NOTHING' } as const;
const overseeing = { roles: OVERSIGHT, isWork: false, sets: null, voids: 'NOTHING' } as const;
/** Starts a round; the user who starts it has worked on it. */
const reopening = { ...working, roles: OVERSIGHT, sets: 'investigatorId', voids: 'ROUND' } as const;

/** All status changes. Creation is not one: any client with a key may create an incident. */
const TRANSITIONS: readonly Transition[] = [
  { ...working, from: 'OPEN', to: 'INVESTIGATING', sets: 'investigatorId' },
  { ...working, from: 'INVESTIGATING', to: 'REMEDIATING' },
  { ...working, from: 'INVESTIGATING', to: 'RESOLVED', sets: 'resolverId' },
  { ...working, from: 'REMEDIATING', to: 'RESOLVED', sets: 'resolverId' },
  { ...overseeing, from: 'RESOLVED', to: 'VERIFIED', apartFrom: 'WORKERS', sets: 'verifierId' },
  // The check failed. This is not work on the incident: the same user may check again.
  { ...overseeing, from: 'RESOLVED', to: 'INVESTIGATING', apartFrom: 'NOBODY', voids: 'RESULT' },
  { ...overseeing, from: 'VERIFIED', to: 'CLOSED', apartFrom: 'RESOLVER', sets: 'closerId' },
  { ...overseeing, from: 'OPEN', to: 'DISMISSED', apartFrom: 'INVESTIGATOR' },
  { ...overseeing, from: 'INVESTIGATING', to: 'DISMISSED', apartFrom: 'INVESTIGATOR' },
  { ...reopening, from: 'CLOSED', to: 'INVESTIGATING' },
  { ...reopening, from: 'DISMISSED', to: 'INVESTIGATING' },
];

export const transitionsFrom = (status: IncidentStatus): readonly Transition[] =>
  TRANSITIONS.filter(({ from }) => from === status);

/** Whether an incident is finished: another one may be opened for the same signal. */
export const isEnded = (status: IncidentStatus): boolean => status === 'CLOSED' || status === 'DISMISSED';
