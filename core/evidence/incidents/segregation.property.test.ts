import fc from 'fast-check';
import { expect, test } from '#jest';
import { INCIDENT_STATUSES, type IncidentStatus, USER_ROLES, type UserRole } from '#schemas/vocabulary.ts';
import { type IncidentState, judgeMove, moved, NEW_INCIDENT, possibleMoves } from './incident.ts';
import { isSameUser } from './people.ts';

/** Spellings of each person that read alike: case, spaces, composed letters, other alphabets, invisible characters. */
const SPELLINGS = [
  [
    'alice',
    'Alice ',
    ' ALICE',
    '\talice\n',
    'al\u00adice',
    'alice\u200b',
    '\u202ealice',
    '\u0430lice',
    '\uff41\uff4c\uff49\uff43\uff45',
  ],
  ['zoë', 'Zoe\u0308', 'ZOË ', ' zoe\u0308'],
  [
    'bob@example.org',
    'Bob@Example.org',
    ' BOB@EXAMPLE.ORG',
    '\u0412ob@example.org',
    'b\u043eb@ex\u0430mple.org',
  ],
  ['åsa', 'A\u030asa', '\u212bsa'],
  ['carol ann', ' Carol\u00a0Ann', 'carol  ann', 'carol\ufeff ann\0'],
  ['\u043d\u0438\u043d\u0430', '\u041d\u0418\u041d\u0410'],
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

/** The rules applied to the list of moves, with people as numbers: no state, no names. */
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

test('no user makes a move that earlier moves forbid, under any spelling of the id', () => {
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
        const isBlocked = move.blockedUserIds.some((id) => isSameUser(id, userId));
        if (judged.ok) expect([move, isBlocked]).toEqual([move, false]);
        if (!judged.ok) continue;
        state = moved(state, judged.transition, { userId, role }, null);
        made.push(next);
        if (to === 'VERIFIED') verified += 1;
        expect(state.people.filter((one) => isSameUser(one.userId, userId))).toHaveLength(1);
      }
    }),
    { numRuns: 2_000 },
  );
  // The property would be empty if no such move occurred.
  expect(verified).toBeGreaterThan(0);
});

test('spellings that read alike are one user, and different names are not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(isSameUser(name, ` ${name}\u200b\n`)).toBe(true);
      expect(isSameUser(name.toWellFormed().normalize('NFKC'), name.toWellFormed())).toBe(true);
    }),
  );
  for (const [person, spellings] of SPELLINGS.entries())
    for (const [other, others] of SPELLINGS.entries())
      for (const one of spellings)
        for (const two of others)
          expect([one, two, isSameUser(one, two)]).toEqual([one, two, person === other]);
});
