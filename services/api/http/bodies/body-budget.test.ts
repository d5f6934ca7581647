import fc from 'fast-check';
import { describe, expect, test } from '#jest';
import { Refusal } from '#platform/flow/refusal.ts';
import { createBodyBudget, type HeldBody } from './body-budget.ts';

const takes = (held: HeldBody, bytes: number): boolean => {
  try {
    held.take(bytes);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: 'BODIES_BUSY', retryAfterSeconds: 1 });
    return false;
  }
};

describe('the budget for bodies', () => {
  test('gives a single customer half of it, over all its requests', () => {
    const budget = createBodyBudget(1_000);
    const [first, second, third] = [budget.open('a'), budget.open('a'), budget.open('a')];
    expect([takes(first!, 300), takes(second!, 201), takes(third!, 200)]).toEqual([true, false, true]);
    expect(budget.heldBytes()).toBe(500);
    expect(takes(first!, 1)).toBe(false);
  });

  test('always leaves room for the next customer, however much the others try to hold', () => {
    const budget = createBodyBudget(1_000);
    for (const greedy of ['a', 'b', 'c']) {
      const held = budget.open(greedy);
      for (let tries = 0; tries < 1_000; tries += 1) takes(held, 1);
    }
    expect(takes(budget.open('d'), 62)).toBe(true);
  });

  test('refuses with whether the customer itself holds memory', () => {
    const budget = createBodyBudget(1_000);
    const held = budget.open('a');
    held.take(500);
    expect(() => budget.open('a').take(100)).toThrow('Your requests in progress');
    expect(() => budget.open('b').take(300)).toThrow('The service has no memory left');
  });

  test('releases memory once, when all of its users have ended', () => {
    const budget = createBodyBudget(1_000);
    const held = budget.open('a');
    held.take(100);
    held.begin();
    held.end();
    expect(budget.heldBytes()).toBe(100);
    held.end();
    expect(budget.heldBytes()).toBe(0);
    expect(() => held.end()).toThrow('twice');
  });

  test('lets a request whose client is gone take no more', () => {
    const budget = createBodyBudget(1_000);
    const held = budget.open('a');
    held.end();
    held.take(100);
    expect(budget.heldBytes()).toBe(0);
  });

  test('is never exceeded, and all of it is released', () => {
    const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(400), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const budget = createBodyBudget(1_000);
        const open: HeldBody[] = [];
        for (const { owner, bytes, ends } of steps) {
          const held = budget.open(owner);
          takes(held, bytes);
          open.push(held);
          expect(budget.heldBytes()).toBeLessThanOrEqual(1_000);
          if (ends) open.shift()?.end();
        }
        for (const held of open) held.end();
        expect(budget.heldBytes()).toBe(0);
      }),
    );
  });
});
