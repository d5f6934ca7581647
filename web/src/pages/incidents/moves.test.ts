import {
  type IncidentState,
  judgeMove,
  moved,
  NEW_INCIDENT,
  possibleMoves,
} from '#core/evidence/incidents/incident.ts';
import { describe, expect, test } from '#jest';
import type { Incident } from '#schemas/api/evidence/incidents.ts';
import type { IncidentStatus, UserRole } from '#schemas/vocabulary.ts';
import { movesFor } from './moves.ts';

type Step = readonly [to: IncidentStatus, userId: string, role?: UserRole];

/** The incident after these steps, as the service returns it. */
function incidentAfter(...steps: readonly Step[]) {
  let state: IncidentState = NEW_INCIDENT;
  const history: Partial<Incident['history'][number]>[] = [
    { from: null, to: 'OPEN', userId: null, userRole: null },
  ];
  for (const [to, userId, role = 'DPO'] of steps) {
    const judged = judgeMove(state, to, { userId, role });
    if (!judged.ok) throw new Error(`${userId} may not move it to ${to}: ${judged.reason}`);
    history.push({ from: state.status, to, userId, userRole: role });
    state = moved(state, judged.transition, { userId, role }, null);
  }
  const shown = { status: state.status, moves: possibleMoves(state), history } as unknown as Incident;
  return { state, shown };
}

const STEPS: readonly Step[] = [
  ['INVESTIGATING', 'ann', 'ANALYST'],
  ['REMEDIATING', 'Ben'],
  ['RESOLVED', 'ben'],
  ['INVESTIGATING', 'cleo'],
  ['RESOLVED', 'ann', 'ANALYST'],
  ['VERIFIED', 'cleo'],
  ['CLOSED', 'ben'],
  ['INVESTIGATING', 'dan', 'ADMIN'],
  ['DISMISSED', 'cleo'],
];

test('offers what the service allows, to every user, at every step', () => {
  for (let done = 0; done <= STEPS.length; done += 1) {
    const { state, shown } = incidentAfter(...STEPS.slice(0, done));
    for (const userId of ['ann', ' BEN ', 'cleo', 'dan', 'eve'])
      for (const { to, roles, blocked } of movesFor(shown, userId)) {
        const allowed = roles.filter((role) => judgeMove(state, to, { userId, role }).ok);
        expect([done, userId, to, blocked === null ? roles : []]).toEqual([done, userId, to, allowed]);
      }
  }
});

describe('a blocked move says why', () => {
  const why = (steps: readonly Step[], to: IncidentStatus, userId: string): string | null | undefined =>
    movesFor(incidentAfter(...steps).shown, userId).find((move) => move.to === to)?.blocked;

  test('with what the user did', () => {
    const resolved: Step[] = [
      ['INVESTIGATING', 'ann'],
      ['RESOLVED', 'ann'],
    ];
    expect(why(resolved, 'VERIFIED', 'ann')).toBe(
      'You investigated and resolved this, so someone else has to verify it.',
    );
    expect(why([...resolved, ['VERIFIED', 'ben']], 'CLOSED', 'ann')).toMatch(/^You resolved this/);
    expect(why([['INVESTIGATING', 'ann']], 'DISMISSED', 'ann')).toMatch(/^You investigated this/);
  });

  test('with the role that the user had', () => {
    const steps: Step[] = [
      ['INVESTIGATING', 'ann', 'ANALYST'],
      ['RESOLVED', 'ben'],
    ];
    expect(why(steps, 'VERIFIED', 'ann')).toMatch(
      /as an analyst here; .* a compliance officer, a DPO, or an admin\.$/,
    );
    expect(why(steps, 'VERIFIED', 'cleo')).toBeNull();
  });

  test('does not block a user who only sent it back', () => {
    const steps: Step[] = [
      ['INVESTIGATING', 'ann'],
      ['RESOLVED', 'ann'],
      ['INVESTIGATING', 'cleo'],
      ['RESOLVED', 'ann'],
    ];
    expect(why(steps, 'VERIFIED', 'cleo')).toBeNull();
  });
});

test('moves are named by the status that they start from', () => {
  const names = (...steps: Step[]): string[] =>
    movesFor(incidentAfter(...steps).shown, 'eve').map(({ name }) => name);
  const resolved: Step[] = [
    ['INVESTIGATING', 'ann'],
    ['RESOLVED', 'ann'],
  ];
  expect(names()).toEqual(['Start investigation', 'Dismiss (false positive)']);
  expect(names(...resolved)).toEqual(['Verify', 'Reject and reopen']);
  expect(names(...resolved, ['VERIFIED', 'ben'], ['CLOSED', 'ben'])).toEqual(['Reopen']);
});
