import { describe, expect, test } from '#jest';
import { InjectedFault, injectFault, parseFaults } from './faults.ts';

describe('FAULT_INJECTION', () => {
  test('is a list of stage, model and times', () => {
    expect(parseFaults('open:m-1:2,emit:other:10')).toEqual([
      { stage: 'open', model: 'm-1', times: 2 },
      { stage: 'emit', model: 'other', times: 10 },
    ]);
    expect(parseFaults(null)).toEqual([]);
  });
  test.each(['detect', 'decode:m:1', 'open::1', 'open:m:many', 'open:m:1:2', 'open:m:1,'])(
    '%s is refused',
    (spec) => {
      expect(() => parseFaults(spec)).toThrow('FAULT_INJECTION');
    },
  );
  test('hits the first attempts of the model at the stage, and no replay', () => {
    const rules = parseFaults('open:m:2');
    const hits = (stage: 'open' | 'emit', model: string, attempt: number, generation = 0): boolean => {
      try {
        injectFault(rules, stage, { model, attempt, generation });
        return false;
      } catch (error) {
        return error instanceof InjectedFault;
      }
    };
    expect([1, 2, 3].map((attempt) => hits('open', 'm', attempt))).toEqual([true, true, false]);
    expect([hits('emit', 'm', 1), hits('open', 'other', 1), hits('open', 'm', 1, 1)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
