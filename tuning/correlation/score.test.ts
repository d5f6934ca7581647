import { describe, expect, test } from '#jest';
import { seededRandom } from '../samples/random.ts';
import { customerOf } from './customers.ts';
import { type Scenario, scenariosOf } from './scenarios.ts';
import { addScores, noScores, precisionOf, recallOf } from './score.ts';
import { ledgerOf, ordinaryTraffic, scenarioOf } from './traffic.ts';

const scenario = (number: number, type: Scenario['type'], alsoTrue: Scenario['alsoTrue'] = []): Scenario => ({
  number,
  type,
  name: '',
  alsoTrue,
  drafts: [],
  changes: [],
});
const ids = (label: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${label}:${index}`);

describe('a score', () => {
  const scenarios = [scenario(0, 'BURST'), scenario(1, 'CAMPAIGN', ['BURST']), scenario(2, null)];

  test.each([
    ['of its own scenario', 'BURST', ids('0', 3), 1, 1],
    ['true as well of another, which it does not recall', 'BURST', ids('1', 3), 1, 0],
    ['of a scenario in which it is not true', 'ESCALATION', ids('0', 3), 0, 0],
    ['of what should not be found', 'BURST', ids('2', 3), 0, 0],
    ['mostly of ordinary signals', 'BURST', [...ids('0', 2), ...ids('none', 5)], 0, 0],
  ] as const)('of a finding %s', (_, type, signalIds, right, recalled) => {
    const scores = noScores();
    const wrong = addScores(scores, scenarios, [{ type, signalIds }]);
    const score = scores.find((one) => one.type === type)!;
    expect([score.found, score.right, score.recalled, wrong.length]).toEqual([1, right, recalled, 1 - right]);
  });

  test('has full precision and no recall without findings', () => {
    const scores = noScores();
    addScores(scores, scenarios, []);
    const burst = scores.find(({ type }) => type === 'BURST')!;
    expect([precisionOf(burst), recallOf(burst)]).toEqual([1, 0]);
  });
});

describe('a simulated ledger', () => {
  const made = (seed: number) => {
    const random = seededRandom(seed);
    const customer = customerOf(random, 'c', [150, 200], 0);
    const scenarios = scenariosOf(random, customer);
    const changes = scenarios.flatMap((one) => one.changes);
    const ordinary = ordinaryTraffic(random, customer, 58, changes);
    return { scenarios, ledger: ledgerOf([...ordinary, ...scenarios.flatMap(({ drafts }) => drafts)]) };
  };

  test('is the same for the same seed, and differs for another', () => {
    expect(JSON.stringify(made(3))).toBe(JSON.stringify(made(3)));
    expect(made(4).ledger.length).not.toBe(made(3).ledger.length);
  });

  test('contains signals of every scenario', () => {
    const { scenarios, ledger } = made(5);
    const seen = new Set(ledger.map(({ id }) => scenarioOf(id)));
    const labelled = scenarios.filter(({ type }) => type !== null).map(({ number }) => number);
    expect(labelled.length).toBeGreaterThan(2);
    for (const number of labelled) expect(seen).toContain(number);
  });

  test('is ordered by when signals became known', () => {
    const known = made(6).ledger.map(({ createdAt, acceptedAt }) => Math.max(createdAt, acceptedAt));
    expect(known).toEqual(known.toSorted((a, b) => a - b));
  });
});
