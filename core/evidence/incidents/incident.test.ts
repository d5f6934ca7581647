import { describe, expect, test } from '#jest';
import { INCIDENT_STATUSES, type IncidentStatus, USER_ROLES, type UserRole } from '#schemas/vocabulary.ts';
import { type IncidentState, judgeMove, moved, NEW_INCIDENT, possibleMoves } from './incident.ts';

/**
 * The permitted transitions, written independently of the table: a line per status, a letter per target status. `.` no
 * role, `a` any role, `o` the three oversight roles.
 */
const EXPECTED = `
                 OPEN INVESTIGATING REMEDIATING RESOLVED VERIFIED CLOSED DISMISSED
  OPEN           .    a             .           .        .        .      o
  INVESTIGATING  .    .             a           a        .        .      o
  REMEDIATING    .    .             .           a        .        .      .
  RESOLVED       .    o             .           .        o        .      .
  VERIFIED       .    .             .           .        .        o      .
  CLOSED         .    o             .           .        .        .      .
  DISMISSED      .    o             .           .        .        .      .
`;
const [columns, ...lines] = EXPECTED.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/));
const expected = (from: string, to: string): string =>
  lines.find(([name]) => name === from)![columns!.indexOf(to) + 1]!;
const allows = (letter: string, role: UserRole): boolean =>
  letter === 'a' || (letter === 'o' && !['ANALYST', 'SECURITY_OFFICER'].includes(role));

/** In this status, without anyone having moved it there. */
const inStatus = (status: IncidentStatus): IncidentState => ({ ...NEW_INCIDENT, status });

const TRIPLES = INCIDENT_STATUSES.flatMap((from) =>
  INCIDENT_STATUSES.flatMap((to) => USER_ROLES.map((role) => [from, to, role] as const)),
);

test('the expected table covers every status and role', () => {
  expect(columns).toEqual([...INCIDENT_STATUSES]);
  expect(lines.map(([name]) => name)).toEqual([...INCIDENT_STATUSES]);
  expect(TRIPLES).toHaveLength(7 * 7 * 5);
});

test.each(TRIPLES)('%s to %s as %s', (from, to, role) => {
  const letter = expected(from, to);
  const judged = judgeMove(inStatus(from), to, { userId: 'ann', role });
  if (allows(letter, role)) expect(judged).toMatchObject({ ok: true, transition: { from, to } });
  else if (letter === '.')
    expect(judged).toEqual({
      ok: false,
      reason: 'STATUS',
      allowed: expect.arrayContaining(INCIDENT_STATUSES.filter((one) => expected(from, one) !== '.')),
    });
  else expect(judged).toMatchObject({ ok: false, reason: 'ROLE' });
  const listed = possibleMoves(inStatus(from)).find((move) => move.to === to);
  expect(listed?.roles.includes(role) ?? false).toBe(allows(letter, role));
});

type Step = readonly [to: IncidentStatus, userId: string, role?: UserRole];

/** The incident after these steps, all of which are allowed. */
function incidentAfter(...steps: readonly Step[]): IncidentState {
  let state = NEW_INCIDENT;
  for (const [to, userId, role = 'DPO'] of steps) {
    const judged = judgeMove(state, to, { userId, role });
    if (!judged.ok) throw new Error(`${userId} may not move it to ${to}: ${judged.reason}`);
    state = moved(state, judged.transition, { userId, role }, to === 'RESOLVED' ? `by ${userId}` : null);
  }
  return state;
}
const faultOf = (state: IncidentState, [to, userId, role = 'DPO']: Step): string | null => {
  const judged = judgeMove(state, to, { userId, role });
  if (judged.ok) return null;
  return judged.reason === 'SEGREGATION' ? judged.fault : judged.reason;
};

describe('segregation', () => {
  const resolved = () =>
    incidentAfter(['INVESTIGATING', 'ann'], ['REMEDIATING', 'ben'], ['RESOLVED', 'cleo', 'ANALYST']);

  test('a user who worked on the incident cannot verify it', () => {
    for (const worker of ['ann', 'ben']) expect(faultOf(resolved(), ['VERIFIED', worker])).toBe('WORKERS');
    expect(faultOf(resolved(), ['VERIFIED', 'cleo'])).toBe('OTHER_ROLE');
    expect(faultOf(resolved(), ['VERIFIED', 'dan'])).toBeNull();
  });

  test('an ADMIN is not exempt', () => {
    const state = incidentAfter(['INVESTIGATING', 'ann', 'ADMIN'], ['RESOLVED', 'ann', 'ADMIN']);
    expect(faultOf(state, ['VERIFIED', 'ann', 'ADMIN'])).toBe('WORKERS');
  });

  test('the resolver cannot close the incident; the verifier can', () => {
    const state = incidentAfter(['INVESTIGATING', 'ann'], ['RESOLVED', 'ben'], ['VERIFIED', 'cleo']);
    expect(faultOf(state, ['CLOSED', 'ben'])).toBe('RESOLVER');
    for (const other of ['ann', 'cleo', 'dan']) expect(faultOf(state, ['CLOSED', other])).toBeNull();
  });

  test('the investigator cannot dismiss the incident; an open one anyone can', () => {
    const state = incidentAfter(['INVESTIGATING', 'ann']);
    expect(faultOf(state, ['DISMISSED', ' Ann '])).toBe('INVESTIGATOR');
    expect(faultOf(state, ['DISMISSED', 'ben'])).toBeNull();
    expect(faultOf(NEW_INCIDENT, ['DISMISSED', 'ann'])).toBeNull();
  });

  test('a failed check is not work, names no investigator, and removes the result', () => {
    const state = incidentAfter(['INVESTIGATING', 'ann'], ['RESOLVED', 'ben'], ['INVESTIGATING', 'cleo']);
    expect(state).toMatchObject({ investigatorId: 'ann', resolverId: null, resolution: null });
    const again = moved(state, judged(state, 'RESOLVED', 'ann'), { userId: 'ann', role: 'DPO' }, null);
    expect(faultOf(again, ['VERIFIED', 'cleo'])).toBeNull();
    // The user whose resolution failed the check has worked on it all the same.
    expect(faultOf(again, ['VERIFIED', 'ben'])).toBe('WORKERS');
  });

  test('reopening starts a round: only its own work counts, and it names the user who started it', () => {
    const closed = incidentAfter(
      ['INVESTIGATING', 'ann'],
      ['RESOLVED', 'ben'],
      ['VERIFIED', 'cleo'],
      ['CLOSED', 'cleo'],
    );
    expect(closed).toMatchObject({ verifierId: 'cleo', closerId: 'cleo', resolution: 'by ben' });
    const reopened = moved(
      closed,
      judged(closed, 'INVESTIGATING', 'dan'),
      { userId: 'dan', role: 'DPO' },
      null,
    );
    expect(reopened).toMatchObject({
      investigatorId: 'dan',
      resolverId: null,
      verifierId: null,
      closerId: null,
      resolution: null,
    });
    const state = moved(reopened, judged(reopened, 'RESOLVED', 'eve'), { userId: 'eve', role: 'DPO' }, 'new');
    expect(['ann', 'ben', 'cleo'].map((one) => faultOf(state, ['VERIFIED', one]))).toEqual([
      null,
      null,
      null,
    ]);
    expect(['dan', 'eve'].map((one) => faultOf(state, ['VERIFIED', one]))).toEqual(['WORKERS', 'WORKERS']);
    // The role is permanent.
    expect(faultOf(state, ['VERIFIED', 'ann', 'ADMIN'])).toBe('OTHER_ROLE');
  });

  const judged = (state: IncidentState, to: IncidentStatus, userId: string) => {
    const one = judgeMove(state, to, { userId, role: 'DPO' });
    if (!one.ok) throw new Error(one.reason);
    return one.transition;
  };

  test('only the first fault is reported: status, then role, then segregation', () => {
    const state = resolved();
    expect(faultOf(state, ['CLOSED', 'ann', 'ANALYST'])).toBe('STATUS');
    expect(faultOf(state, ['VERIFIED', 'ann', 'ANALYST'])).toBe('ROLE');
    expect(faultOf(state, ['VERIFIED', 'ann', 'ADMIN'])).toBe('OTHER_ROLE');
  });
});

test('possible moves name the users who may not make them in any role', () => {
  const state = incidentAfter(['INVESTIGATING', 'Ann'], ['RESOLVED', 'ben', 'ANALYST']);
  expect(possibleMoves(state)).toEqual([
    { to: 'VERIFIED', roles: ['COMPLIANCE_OFFICER', 'DPO', 'ADMIN'], blockedUserIds: ['Ann', 'ben'] },
    { to: 'INVESTIGATING', roles: ['COMPLIANCE_OFFICER', 'DPO', 'ADMIN'], blockedUserIds: ['ben'] },
  ]);
});
