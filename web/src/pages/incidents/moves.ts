import { isSameUser } from '#core/evidence/incidents/people.ts';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';
import { inSentence, label } from '../../labels/label.ts';

/** A possible status change of an incident, for one user. */
export interface OfferedMove {
  readonly to: IncidentStatus;
  readonly name: string;
  /** Roles in which the user may make it. */
  readonly roles: readonly UserRole[];
  /** Why the user may not; null when allowed. */
  readonly blocked: string | null;
}

type Moved = Pick<Incident, 'status' | 'moves' | 'history'>;

const ENDED: readonly IncidentStatus[] = ['CLOSED', 'DISMISSED'];
export const isEnded = (status: IncidentStatus): boolean => ENDED.includes(status);

const NAMES: Readonly<Partial<Record<IncidentStatus, string>>> = {
  INVESTIGATING: 'Start investigation',
  REMEDIATING: 'Start remediation',
  RESOLVED: 'Resolve',
  VERIFIED: 'Verify',
  CLOSED: 'Close',
  DISMISSED: 'Dismiss (false positive)',
};

function nameOf(from: IncidentStatus, to: IncidentStatus): string {
  if (to === 'INVESTIGATING' && isEnded(from)) return 'Reopen';
  if (to === 'INVESTIGATING' && from === 'RESOLVED') return 'Reject and reopen';
  return NAMES[to] ?? label('incidentStatus', to);
}

/** Changes that count as work on the incident. */
const WORK: Readonly<Partial<Record<IncidentStatus, string>>> = {
  INVESTIGATING: 'investigated',
  REMEDIATING: 'remediated',
  RESOLVED: 'resolved',
};

/** What the user did in this round, which started when the incident was opened or reopened. */
function workOf({ history }: Moved, userId: string): string[] {
  const start = history.findLastIndex(({ from }) => from === null || isEnded(from));
  const own = history
    .slice(Math.max(start, 0))
    .filter((one) => one.userId !== null && isSameUser(one.userId, userId))
    // Checking and sending it back does not count as work on it.
    .filter(({ from, to }) => !(from === 'RESOLVED' && to === 'INVESTIGATING'));
  return [...new Set(own.flatMap(({ to }) => WORK[to] ?? []))];
}

const listed = (words: readonly string[]): string => words.join(' and ');

/** `a DPO`, `an analyst`. */
function nounOf(role: UserRole): string {
  const noun = inSentence(label('role', role));
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** `a DPO or an admin`. */
const anyOf = (roles: readonly UserRole[]): string =>
  new Intl.ListFormat('en', { type: 'disjunction' }).format(roles.map(nounOf));

function dutyOf(incident: Moved, to: IncidentStatus, userId: string): string {
  const work = workOf(incident, userId);
  if (to === 'VERIFIED' && work.length > 0)
    return `You ${listed(work)} this, so someone else has to verify it.`;
  if (to === 'CLOSED') return 'You resolved this, so someone else has to close it.';
  if (to === 'DISMISSED') return 'You investigated this, so someone else has to dismiss it.';
  return 'Someone else has to do this (separation of duties).';
}

/** Status changes open to this user: the service decides, and this predicts its decision. */
export function movesFor(incident: Moved, userId: string): OfferedMove[] {
  const ownRole = incident.history.findLast(
    (one) => one.userId !== null && one.userRole !== null && isSameUser(one.userId, userId),
  )?.userRole;
  return incident.moves.map(({ to, roles, blockedUserIds }) => {
    const move = { to, name: nameOf(incident.status, to) };
    if (ownRole && !roles.includes(ownRole))
      return {
        ...move,
        roles: [],
        blocked: `You acted as ${nounOf(ownRole)} here; this step needs ${anyOf(roles)}.`,
      };
    const isBlocked = blockedUserIds.some((id) => isSameUser(id, userId));
    return {
      ...move,
      roles: ownRole ? [ownRole] : roles,
      blocked: isBlocked ? dutyOf(incident, to, userId) : null,
    };
  });
}
