import { describe, expect, test } from '#jest';
import type { StoredRecord } from '#platform/event-log/port.ts';
import type { AuditRow } from '#schemas/tables/tables.ts';
import { DEAD_LETTERS, RETRY_1, RETRY_2, TRIPLETS } from '#schemas/topics.ts';
import { auditIdOf, customerIn, draftOf, headersOf, signalCore, timeAt } from '../testing/sample-log.ts';
import { auditRow, auditVersion, completedRow, erasedRow, LAST_OFFSET, winningRows } from './audit-rows.ts';

const CUSTOMER = customerIn(1);
const HEADERS = headersOf(draftOf(CUSTOMER, 'SIGNAL', 1));

const recordOf = (topic: string, offset: number, headers: Record<string, string> = {}): StoredRecord => ({
  topic,
  partition: 4,
  offset,
  key: auditIdOf(1),
  value: Buffer.from('sealed'),
  headers: { ...HEADERS, ...headers },
  timestamp: Date.parse('2026-11-03T00:00:00.123Z'),
});
const row = (topic: string, offset: number, headers: Record<string, string> = {}): AuditRow =>
  auditRow(recordOf(topic, offset, headers), 2)!;
const completed = completedRow(CUSTOMER, { ...HEADERS, generation: '1' }, signalCore(1), {
  epoch: 2,
  partition: 1,
  offset: 9,
});

test('an accepted audit is listed from its headers alone', () => {
  expect(row(TRIPLETS.name, 7)).toEqual({
    customerId: CUSTOMER,
    acceptedAt: timeAt(1),
    auditId: auditIdOf(1),
    rank: 1,
    version: String(2n ** 40n + (2n ** 40n - 1n - 7n)),
    sandboxId: 'sandbox-1',
    sandboxSlug: 'support_chat',
    provider: 'openai',
    model: 'gpt-4o',
    source: 'INGEST',
    status: 'QUEUED',
    generation: 0,
    attempts: 0,
    riskLevel: null,
    violations: [],
    failureCode: null,
    completedAt: null,
    durationMs: null,
    steps: JSON.stringify([{ name: 'ACCEPTED', at: timeAt(1) }]),
    erased: false,
    topic: TRIPLETS.name,
    epoch: 2,
    partition: 4,
    offset: 7,
  });
});

test('a dead letter after a destroyed key contains no names given by the erased customer', () => {
  const { provider, model, failureCode } = row(DEAD_LETTERS.name, 3, { 'x-failure-code': 'KEY_DESTROYED' });
  expect([provider, model, failureCode]).toEqual([null, null, 'KEY_DESTROYED']);
});

test('a dead letter has its reason, its time and the number of analyses started', () => {
  expect(row(DEAD_LETTERS.name, 3, { attempt: '4', 'x-failure-code': 'ANALYSIS_FAILED' })).toMatchObject({
    status: 'FAILED',
    failureCode: 'ANALYSIS_FAILED',
    attempts: 3,
    completedAt: '2026-11-03T00:00:00.123Z',
  });
});

test('a stored signal completes its audit', () => {
  expect(completed).toMatchObject({
    status: 'COMPLETED',
    rank: 1_000_000,
    generation: 1,
    riskLevel: 'HIGH',
    violations: ['EMAIL'],
    completedAt: timeAt(2),
    attempts: 1,
  });
  expect(JSON.parse(completed.steps)).toEqual([
    { name: 'ACCEPTED', at: timeAt(1) },
    { name: 'STORED', at: timeAt(2) },
  ]);
});

test('its erasure removes the results and keeps the row in the list', () => {
  const { version: _version, ...stored } = completed;
  const { riskLevel, violations, provider, model, ...rest } = stored;
  const blanks = { riskLevel: null, violations: [], provider: null, model: null, erased: true };
  const position = { rank: 1_000_001, offset: 30, version: auditVersion(1_000_001, 30) };
  expect(erasedRow(stored, { epoch: 2, offset: 30 })).toEqual({ ...rest, ...blanks, ...position });
  expect([riskLevel, violations, provider, model]).not.toContain(null);
});

describe('the winning row does not depend on the order of inserts', () => {
  test('later stages, a replay, a signal and its erasure each outrank what came before', () => {
    const rising = [
      row(TRIPLETS.name, 5),
      row(RETRY_1.name, 900),
      row(RETRY_2.name, 3),
      row(DEAD_LETTERS.name, 0),
      row(TRIPLETS.name, 99_999, { generation: '1' }),
      row(DEAD_LETTERS.name, 4, { generation: '1' }),
      completed,
      erasedRow(completed, { epoch: 2, offset: 12 }),
    ].map(({ version }) => BigInt(version));
    expect(rising).toEqual([...new Set(rising)].sort((a, b) => (a < b ? -1 : 1)));
  });
  test('the first of two records with equal rank wins', () => {
    expect(BigInt(row(TRIPLETS.name, 5).version)).toBeGreaterThan(BigInt(row(TRIPLETS.name, 6).version));
  });
  test('versions fit UInt64, and offsets never reach into the rank', () => {
    expect(BigInt(auditVersion(1_000_001, 0))).toBeLessThan(2n ** 64n);
    expect(BigInt(auditVersion(2, LAST_OFFSET))).toBeGreaterThan(BigInt(auditVersion(1, 0)));
  });
});

test.each([
  ['no audit', { auditId: '' }],
  ['no customer', { customerId: '' }],
  ['a time that is none', { acceptedAt: 'yesterday' }],
  ['a generation that is no number', { generation: '-1' }],
  ['a generation that would outrank a signal', { generation: '100000' }],
  ['steps that are no list', { steps: '{}' }],
  ['steps that are no JSON', { steps: '[' }],
])('headers with %s make no row', (_name, headers) => {
  expect(auditRow(recordOf(TRIPLETS.name, 1, headers), 1)).toBeNull();
});

test('only the winning row of an audit is kept, in any order', () => {
  const rows = [row(TRIPLETS.name, 7), row(RETRY_1.name, 900), row(RETRY_2.name, 3), completed];
  const erased = erasedRow(completed, { epoch: 2, offset: 40 });
  const other = { ...row(TRIPLETS.name, 8), auditId: auditIdOf(2) };
  expect(winningRows([...rows, other])).toEqual([completed, other]);
  expect(winningRows([erased, other, ...rows.toReversed()])).toEqual([erased, other]);
  expect(winningRows([row(TRIPLETS.name, 8), row(TRIPLETS.name, 7)])).toEqual([row(TRIPLETS.name, 7)]);
});

test('a platform signal with a past date ends its audit when it was accepted, not before', () => {
  const internal = (createdAt: string): AuditRow =>
    completedRow(CUSTOMER, HEADERS, signalCore(1, { source: 'INTERNAL', acceptedAt: timeAt(5), createdAt }), {
      epoch: 2,
      partition: 1,
      offset: 9,
    });
  const stored = (row: AuditRow) => [row.completedAt, JSON.parse(row.steps).at(-1)];
  expect(stored(internal(timeAt(2)))).toEqual([timeAt(5), { name: 'STORED', at: timeAt(5) }]);
  expect(stored(internal(timeAt(6)))).toEqual([timeAt(6), { name: 'STORED', at: timeAt(6) }]);
});
