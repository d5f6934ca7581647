import { describe, expect, test } from '#jest';
import type { EntryLine } from '#schemas/api/evidence/evidence-package.ts';
import type { LedgerKind } from '#schemas/vocabulary.ts';
import type { Step } from '../steps/desk.ts';
import { showSteps } from './ledger.ts';

const entry = (index: number, kind: LedgerKind, id: string): EntryLine['leaf'] => ({
  v: 1,
  kind,
  customerId: '01993d5a-7c00-7000-8000-0000000000c1',
  index,
  id,
  at: '2026-11-01T10:00:00.000Z',
  dataHash: 'ab'.repeat(32),
});
const LEDGER = [
  entry(0, 'KEY_EVENT', 'key:1'),
  entry(1, 'SIGNAL', 'a'),
  entry(2, 'SIGNAL', 'b'),
  entry(3, 'SIGNAL', 'c'),
  entry(4, 'AUDITOR_ACCESS', 'of the service 1'),
  entry(5, 'KEY_EVENT', 'key:2'),
  entry(6, 'AUDITOR_ACCESS', 'of the service 2'),
];
const STEPS: readonly Step[] = [
  { what: 'signals', entries: ['c', 'a', 'b'].map((id) => ({ kind: 'SIGNAL', id })) },
  { what: 'a key', entries: ['key:1', 'key:2'].map((id) => ({ kind: 'KEY_EVENT', id })) },
  {
    what: 'calls',
    entries: [
      { kind: 'AUDITOR_ACCESS', id: null },
      { kind: 'AUDITOR_ACCESS', id: null },
    ],
  },
];

function shown(steps: readonly Step[], entries: readonly EntryLine['leaf'][]): [string, boolean][] {
  const lines: [string, boolean][] = [];
  showSteps(steps, entries, (what, holds) => lines.push([what, holds]));
  return lines;
}

describe('the day, compared with the ledger', () => {
  test('finds every step with its places, and nothing else', () => {
    expect(shown(STEPS, LEDGER)).toEqual([
      ['signals: SIGNAL 1 to 3', true],
      ['a key: KEY_EVENT 0, 5', true],
      ['calls: AUDITOR_ACCESS 4, 6', true],
      ['these are all 7 entries of the ledger: it tells of nothing else', true],
    ]);
  });

  test.each(LEDGER)('misses entry $index', (missing) => {
    const lines = shown(
      STEPS,
      LEDGER.filter((one) => one !== missing),
    );
    const wrong = lines.filter(([, holds]) => !holds).map(([what]) => what);
    expect(wrong).toEqual([expect.stringContaining('; 1 of ')]);
    expect(wrong[0]).toContain(missing.kind);
  });

  test('says where nothing of a step is there', () => {
    expect(shown(STEPS.slice(0, 1), [])[0]).toEqual(['signals: SIGNAL nowhere; 3 of 3 are missing', false]);
  });

  test('names what no step explains, also a call too many', () => {
    const lines = shown(STEPS, [...LEDGER, entry(7, 'ERASURE', 'signal:a'), entry(8, 'AUDITOR_ACCESS', 'x')]);
    expect(lines.filter(([, holds]) => !holds)).toEqual([
      ['no step of the day explains ERASURE 7, AUDITOR_ACCESS 8', false],
    ]);
  });
});
