import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import {
  type CountedRecord,
  DEAD_LETTER_LIMITS,
  deadLetterGauge,
  TooManyDeadLetters,
} from './dead-letter-limit.ts';
import { recentCustomers } from './recent-customers.ts';

const LIMITS = { window: 50, maxInWindow: 10, maxInARow: 10, maxPerCustomer: 2 };
const gaugeWith = (wellOff: readonly string[]) => {
  const recent = recentCustomers(() => 0);
  for (const customerId of wellOff) recent.noteSuccess(customerId);
  return deadLetterGauge('t', 0, LIMITS, recent);
};
const trips = (wellOff: readonly string[], records: readonly CountedRecord[]): boolean => {
  try {
    gaugeWith(wellOff).take(records);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(TooManyDeadLetters);
    return true;
  }
};
const owner = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', null);
const anyRecord: fc.Arbitrary<CountedRecord> = fc.record({ customerId: owner, dead: fc.boolean() });
const anyRecords = fc.array(anyRecord, { maxLength: 120 });

describe('the limit of dead letters', () => {
  test('one customer alone never trips it while another customer’s records succeed', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (fates) => {
        const records = fates.map((dead) => ({ customerId: 'a', dead }));
        expect(trips(['b'], records)).toBe(false);
      }),
    );
  });

  test('a fault that fails all records always trips it, even with few customers', () => {
    fc.assert(
      fc.property(fc.array(owner, { minLength: LIMITS.maxInARow, maxLength: 120 }), (owners) => {
        const records = owners.map((customerId) => ({ customerId, dead: true }));
        expect(trips([], records)).toBe(true);
      }),
    );
  });

  test('records without an owner count one by one, even when others succeed', () => {
    fc.assert(
      fc.property(fc.integer({ min: LIMITS.maxInARow, max: 120 }), (count) => {
        expect(trips(['b'], Array(count).fill({ customerId: null, dead: true }))).toBe(true);
      }),
    );
  });

  test('failures that spread over many customers trip it, although others succeed', () => {
    const spread = ['c', 'd', 'e', 'f', 'g', 'h'].flatMap((customerId) =>
      Array(LIMITS.maxPerCustomer).fill({ customerId, dead: true }),
    );
    expect(trips(['b'], spread)).toBe(true);
    expect(trips(['b'], spread.slice(0, LIMITS.maxInARow - 1))).toBe(false);
  });

  test('never trips where the plain numbers would not: customers only make it more lenient', () => {
    fc.assert(
      fc.property(anyRecords, fc.subarray(['a', 'b', 'x']), (records, wellOff) => {
        const ownerless = records.map(({ dead }) => ({ customerId: null, dead }));
        if (!trips([], ownerless)) expect(trips(wellOff, records)).toBe(false);
      }),
    );
  });

  test('a refused batch is not counted, no matter how often it is checked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(anyRecord, { minLength: 1, maxLength: 15 }), { maxLength: 12 }),
        fc.subarray(['a', 'x']),
        (batches, wellOff) => {
          const [once, again] = [gaugeWith(wellOff), gaugeWith(wellOff)];
          const outcome = (gauge: typeof once, batch: readonly CountedRecord[]): boolean => {
            try {
              gauge.take(batch);
              return true;
            } catch {
              return false;
            }
          };
          for (const batch of batches) {
            const accepted = outcome(once, batch);
            const first = outcome(again, batch);
            expect(first).toBe(accepted);
            // A refused batch stays refused and changes nothing, no matter how often it is retried.
            if (!first)
              for (let attempt = 0; attempt < 3; attempt += 1) expect(outcome(again, batch)).toBe(false);
          }
        },
      ),
    );
  });

  test('decides like one that keeps every record of the window', () => {
    let kept: CountedRecord[] = [];
    /** No customer's records succeed, so that all dead letters count. */
    const isTooMany = (batch: readonly CountedRecord[]): boolean => {
      const all = [...kept, ...batch];
      const endsInRow = (end: number): boolean =>
        end >= LIMITS.maxInARow && all.slice(end - LIMITS.maxInARow, end).every(({ dead }) => dead);
      if (batch.some((_, at) => endsInRow(kept.length + at + 1))) return true;
      const last = all.slice(-LIMITS.window);
      if (last.filter(({ dead }) => dead).length > LIMITS.maxInWindow) return true;
      kept = all;
      return false;
    };
    const sparse = fc.record({ customerId: owner, dead: fc.integer({ max: 5, min: 0 }).map((n) => n === 0) });
    const batches = fc.array(fc.array(sparse, { maxLength: 25 }), { minLength: 5, maxLength: 30 });
    fc.assert(
      fc.property(batches, (all) => {
        kept = [];
        const gauge = gaugeWith([]);
        for (const batch of all) {
          let refused = false;
          try {
            gauge.take(batch);
          } catch {
            refused = true;
          }
          expect(refused).toBe(isTooMany(batch));
        }
      }),
    );
  });

  test('recent successes expire after ten minutes, and only the latest are kept', () => {
    let time = 0;
    const recent = recentCustomers(() => time);
    recent.noteSuccess('a');
    expect(recent.anyBut(new Set())).toBe(true);
    expect(recent.anyBut(new Set(['a']))).toBe(false);
    time = 10 * 60_000;
    expect(recent.anyBut(new Set())).toBe(true);
    time += 1;
    expect(recent.anyBut(new Set())).toBe(false);
    for (let i = 0; i < 10_000; i += 1) recent.noteSuccess(`c${i}`);
    // More customers than can exhaust their share of the limits at once.
    const heavy = DEAD_LETTER_LIMITS.window / DEAD_LETTER_LIMITS.maxPerCustomer;
    const latest = Array.from({ length: heavy }, (_, i) => `c${9_999 - i}`);
    expect(recent.anyBut(new Set(latest))).toBe(true);
    const kept = Array.from({ length: 64 }, (_, i) => `c${9_999 - i}`);
    expect(recent.anyBut(new Set(kept))).toBe(false);
  });
});
