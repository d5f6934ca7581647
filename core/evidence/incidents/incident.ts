import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';
import { isSameUser, type Person, peopleAfter, personOf } from './people.ts';
import { type ActorField, type Transition, transitionsFrom } from './transitions.ts';

/** The state that decides who may move an incident where. */
export interface IncidentState extends Readonly<Record<ActorField, string | null>> {
  readonly status: IncidentStatus;
  /** All users who ever moved it. */
  readonly people: readonly Person[];
  /** Result of the current round. */
  readonly resolution: string | null;
}

export const NEW_INCIDENT: IncidentState = {
  status: 'OPEN',
  people: [],
  resolution: null,
  investigatorId: null,
  resolverId: null,
  verifierId: null,
  closerId: null,
};

export interface Mover {
  readonly userId: string;
  readonly role: UserRole;
}

/** Why a user may not make a move that the status and the role would allow. */
type SegregationFault = 'OTHER_ROLE' | Exclude<Transition['apartFrom'], 'NOBODY'>;

type Judgement =
  | { readonly ok: true; readonly transition: Transition }
  | { readonly ok: false; readonly reason: 'STATUS'; readonly allowed: readonly IncidentStatus[] }
  | { readonly ok: false; readonly reason: 'ROLE'; readonly roles: readonly UserRole[] }
  | { readonly ok: false; readonly reason: 'SEGREGATION'; readonly fault: SegregationFault };

/** Whether this user may move the incident there. Reports the first fault in the order status, role, segregation. */
export function judgeMove(state: IncidentState, to: IncidentStatus, mover: Mover): Judgement {
  const possible = transitionsFrom(state.status);
  const transition = possible.find((one) => one.to === to);
  if (transition === undefined)
    return { ok: false, reason: 'STATUS', allowed: possible.map((one) => one.to) };
  if (!transition.roles.includes(mover.role)) return { ok: false, reason: 'ROLE', roles: transition.roles };
  const fault = segregationFault(state, transition, mover);
  return fault === null ? { ok: true, transition } : { ok: false, reason: 'SEGREGATION', fault };
}

function segregationFault(
  state: IncidentState,
  { apartFrom }: Transition,
  { userId, role }: Mover,
): SegregationFault | null {
  const person = personOf(state.people, userId);
  if (person !== undefined && person.role !== role) return 'OTHER_ROLE';
  const isMover = (id: string | null): boolean => id !== null && isSameUser(id, userId);
  const isBarred = {
    NOBODY: false,
    INVESTIGATOR: isMover(state.investigatorId),
    RESOLVER: isMover(state.resolverId),
    WORKERS: person?.worked ?? false,
  }[apartFrom];
  return isBarred && apartFrom !== 'NOBODY' ? apartFrom : null;
}

const NO_ACTORS = { investigatorId: null, resolverId: null, verifierId: null, closerId: null };
const VOIDED = {
  NOTHING: {},
  RESULT: { resolverId: null, resolution: null },
  ROUND: { ...NO_ACTORS, resolution: null },
};

/** The incident after a permitted move. `resolution`: the resolution given with the move, if any. */
export function moved(
  state: IncidentState,
  { to, sets, isWork, voids }: Transition,
  mover: Mover,
  resolution: string | null,
): IncidentState {
  return {
    ...state,
    ...VOIDED[voids],
    ...(sets === null ? {} : { [sets]: mover.userId }),
    ...(resolution === null ? {} : { resolution }),
    status: to,
    people: peopleAfter(state.people, mover, { isWork, beginsRound: voids === 'ROUND' }),
  };
}

interface PossibleMove {
  readonly to: IncidentStatus;
  readonly roles: readonly UserRole[];
  /** Users who moved the incident before and may not make this move in any role. */
  readonly blockedUserIds: readonly string[];
}

export const possibleMoves = (state: IncidentState): PossibleMove[] =>
  transitionsFrom(state.status).map(({ to, roles }) => ({
    to,
    roles,
    blockedUserIds: state.people
      .filter(({ userId }) => roles.every((role) => !judgeMove(state, to, { userId, role }).ok))
      .map(({ userId }) => userId),
  }));
