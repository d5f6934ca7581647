import { describe, expect, test } from '#jest';
import { createBreaker } from './breaker.ts';
import { createBudget } from './budget.ts';

describe('the breaker', () => {
  const make = () => {
    let time = 0;
    const heard: string[] = [];
    const breaker = createBreaker({
      threshold: 2,
      firstPauseMs: 100,
      maxPauseMs: 300,
      clock: () => time,
      onOpen: () => heard.push('open'),
      onClose: () => heard.push('close'),
    });
    const pass = (ms: number): void => {
      time += ms;
    };
    return { breaker, pass, heard };
  };

  test('opens after consecutive failures, and not if a call succeeds between them', () => {
    const { breaker } = make();
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    expect(breaker.state()).toBe('CLOSED');
    breaker.failed();
    expect(breaker.state()).toBe('OPEN');
  });

  test('half-opens after a pause that doubles up to a limit, and closes after a success', () => {
    const { breaker, pass, heard } = make();
    breaker.failed();
    for (const pauseMs of [100, 200, 300, 300]) {
      breaker.failed();
      pass(pauseMs - 1);
      expect(breaker.state()).toBe('OPEN');
      pass(1);
      expect(breaker.state()).toBe('HALF_OPEN');
    }
    breaker.succeeded();
    expect(breaker.state()).toBe('CLOSED');
    expect(heard).toEqual(['open', 'close']);
    breaker.failed();
    expect(breaker.state()).toBe('CLOSED');
    breaker.failed();
    pass(100);
    expect(breaker.state()).toBe('HALF_OPEN');
  });

  test('a success from before it opened does not close it', () => {
    const { breaker } = make();
    breaker.pause(50);
    breaker.succeeded();
    expect(breaker.state()).toBe('OPEN');
  });

  test('stays open as long as requested, and then opens again after one failure', () => {
    const { breaker, pass } = make();
    breaker.pause(99_999);
    pass(300);
    expect(breaker.state()).toBe('HALF_OPEN');
    breaker.failed();
    expect(breaker.state()).toBe('OPEN');
  });
});

test('the budget applies to any minute', () => {
  let time = 0;
  const budget = createBudget(3, () => time);
  const taken: number[] = [];
  for (; time < 300_000; time += 7_000) if (budget.take()) taken.push(time);
  expect(taken.length).toBeGreaterThan(10);
  for (const at of taken)
    expect(taken.filter((one) => one >= at && one < at + 60_000).length).toBeLessThanOrEqual(3);
  time += 60_000;
  budget.note();
  budget.note();
  budget.note();
  budget.note();
  expect(budget.take()).toBe(false);
  time += 60_000;
  expect(budget.take()).toBe(true);
});
