import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { INCIDENT_STATUSES, type IncidentStatus, USER_ROLES, type UserRole } from '#schemas/vocabulary.ts';
import { type IncidentState, judgeMove, moved, NEW_INCIDENT, possibleMoves } from './incident.ts';
import { userKey } from './people.ts';

/** Of each person the spellings that are one name: case, spaces around it, letters composed or not. */
const SPELLINGS = [
  ['alice', 'Alice ', ' ALICE', '\talice\n'],
  ['zoë', 'Zoe\u0308', 'ZOË ', ' zoe\u0308'],
  ['bob@example.org', 'Bob@Example.org', ' BOB@EXAMPLE.ORG'],
  ['åsa', 'A\u030asa', '\u212bsa'],
  ['carol', ' Carol'],
] as const;
const actor = fc.nat(SPELLINGS.length - 1).chain((person) =>
  fc.record({
    person: fc.constant(person),
    userId: fc.constantFrom(...SPELLINGS[person]!),
    role: fc.constantFrom(...USER_ROLES),
  }),
);
const step = fc.record({ to: fc.constantFrom(...INCIDENT_STATUSES), actor });

interface Made {
  readonly from: IncidentStatus;
  readonly to: IncidentStatus;
  readonly person: number;
  readonly role: UserRole;
}

const WORK: readonly IncidentStatus[] = ['INVESTIGATING', 'REMEDIATING', 'RESOLVED'];
const isReopening = ({ from }: Made): boolean => from === 'CLOSED' || from === 'DISMISSED';
const isFailedCheck = ({ from, to }: Made): boolean => from === 'RESOLVED' && to === 'INVESTIGATING';

/** The moves of the current round. */
const roundOf = (made: readonly Made[]): readonly Made[] =>
  made.slice(Math.max(0, made.findLastIndex(isReopening)));

/** The rules told over the list of moves, with people as numbers: no state, no names. */
function isSegregated(made: readonly Made[], next: Made): boolean {
  const round = roundOf(made);
  const by = (to: IncidentStatus): number | undefined =>
    round.findLast((one) => one.to === to && !isFailedCheck(one))?.person;
  if (made.some(({ person, role }) => person === next.person && role !== next.role)) return false;
  const workers = round.filter((one) => WORK.includes(one.to) && !isFailedCheck(one));
  if (next.to === 'VERIFIED') return workers.every(({ person }) => person !== next.person);
  if (next.to === 'CLOSED') return by('RESOLVED') !== next.person;
  if (next.to === 'DISMISSED') return next.from === 'OPEN' || by('INVESTIGATING') !== next.person;
  return true;
}

test('whatever people do under whatever spelling, nobody does what the moves before forbid', () => {
  let verified = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state: IncidentState = NEW_INCIDENT;
      const made: Made[] = [];
      for (const {
        to,
        actor: { person, userId, role },
      } of steps) {
        const next = { from: state.status, to, person, role };
        const judged = judgeMove(state, to, { userId, role });
        if (!judged.ok && judged.reason !== 'SEGREGATION') continue;
        expect([made, next, judged.ok]).toEqual([made, next, isSegregated(made, next)]);
        const move = possibleMoves(state).find((one) => one.to === to)!;
        const isBlocked = move.blockedUserIds.some((id) => userKey(id) === userKey(userId));
        if (judged.ok) expect([move, isBlocked]).toEqual([move, false]);
        if (!judged.ok) continue;
        state = moved(state, judged.transition, { userId, role }, null);
        made.push(next);
        if (to === 'VERIFIED') verified += 1;
        expect(new Set(state.people.map((one) => userKey(one.userId))).size).toBe(state.people.length);
      }
    }),
    { numRuns: 2_000 },
  );
  // The property says nothing of moves that never come about.
  expect(verified).toBeGreaterThan(0);
});

test('the spelling that names are compared by is the same however often it is made', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(userKey(userKey(name))).toBe(userKey(name));
      expect(userKey(` ${name}\n`)).toBe(userKey(name));
    }),
  );
  for (const spellings of SPELLINGS) expect(new Set(spellings.map(userKey)).size).toBe(1);
  expect(new Set(SPELLINGS.flat().map(userKey)).size).toBe(SPELLINGS.length);
});
