import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';

/** The fields of an incident that name who did what in the current round. */
export type ActorField = 'investigatorId' | 'resolverId' | 'verifierId' | 'closerId';

export interface Transition {
  readonly from: IncidentStatus;
  readonly to: IncidentStatus;
  readonly roles: readonly UserRole[];
  /**
   * Who may not make it: nobody is barred, the one whose name a field of the current round holds, or everybody who
   * worked on the incident in the current round.
   */
  readonly apartFrom: 'NOBODY' | 'INVESTIGATOR' | 'RESOLVER' | 'WORKERS';
  /** Whoever makes it has worked on the incident, and may not verify it. */
  readonly isWork: boolean;
  /** The field that names who made it. */
  readonly sets: ActorField | null;
  /** What was said and done before no longer stands: the result alone, or all of the round. */
  readonly voids: 'NOTHING' | 'RESULT' | 'ROUND';
}

const ANY_ROLE: readonly UserRole[] = ['ANALYST', 'SECURITY_OFFICER', 'COMPLIANCE_OFFICER', 'DPO', 'ADMIN'];
/** Nobody is above the rules: an ADMIN is one of three, and is kept apart like the others. */
const OVERSIGHT: readonly UserRole[] = ['COMPLIANCE_OFFICER', 'DPO', 'ADMIN'];

const working = { roles: ANY_ROLE, apartFrom: 'NOBODY', isWork: true, sets: null, voids: 'NOTHING' } as const;
const overseeing = { roles: OVERSIGHT, isWork: false, sets: null, voids: 'NOTHING' } as const;
/** A round begins, and whoever begins it has worked on it. */
const reopening = { ...working, roles: OVERSIGHT, sets: 'investigatorId', voids: 'ROUND' } as const;

/** Every change of status that there is. Creating an incident is none: anybody with a key may. */
const TRANSITIONS: readonly Transition[] = [
  { ...working, from: 'OPEN', to: 'INVESTIGATING', sets: 'investigatorId' },
  { ...working, from: 'INVESTIGATING', to: 'REMEDIATING' },
  { ...working, from: 'INVESTIGATING', to: 'RESOLVED', sets: 'resolverId' },
  { ...working, from: 'REMEDIATING', to: 'RESOLVED', sets: 'resolverId' },
  { ...overseeing, from: 'RESOLVED', to: 'VERIFIED', apartFrom: 'WORKERS', sets: 'verifierId' },
  // The check failed. It is no work on the incident: whoever found the fault may check again.
  { ...overseeing, from: 'RESOLVED', to: 'INVESTIGATING', apartFrom: 'NOBODY', voids: 'RESULT' },
  { ...overseeing, from: 'VERIFIED', to: 'CLOSED', apartFrom: 'RESOLVER', sets: 'closerId' },
  { ...overseeing, from: 'OPEN', to: 'DISMISSED', apartFrom: 'INVESTIGATOR' },
  { ...overseeing, from: 'INVESTIGATING', to: 'DISMISSED', apartFrom: 'INVESTIGATOR' },
  { ...reopening, from: 'CLOSED', to: 'INVESTIGATING' },
  { ...reopening, from: 'DISMISSED', to: 'INVESTIGATING' },
];

export const transitionsFrom = (status: IncidentStatus): readonly Transition[] =>
  TRANSITIONS.filter(({ from }) => from === status);

/** Whether an incident is done: another one of the same signal may be opened. */
export const isEnded = (status: IncidentStatus): boolean => status === 'CLOSED' || status === 'DISMISSED';
