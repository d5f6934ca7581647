import { describe, expect, test } from '@jest/globals';
import { createTurnBatch } from './turn-batch.ts';

describe('turn batch', () => {
  test('questions of one turn share a call, and each gets its own answer', async () => {
    const calls: (readonly number[])[] = [];
    const ask = createTurnBatch(async (questions: readonly number[]) => {
      calls.push(questions);
      return questions.map((each) => each * 10);
    });
    expect(await Promise.all([ask(1), ask(2), ask(1)])).toEqual([10, 20, 10]);
    expect(await ask(3)).toBe(30);
    expect(calls).toEqual([[1, 2, 1], [3]]);
  });

  test('a failure is everyone’s, and the next turn is asked anew', async () => {
    let fails = true;
    const ask = createTurnBatch(async (questions: readonly string[]) => {
      if (fails) throw new Error('away');
      return questions;
    });
    const outcomes = await Promise.allSettled([ask('a'), ask('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await ask('c')).toBe('c');
  });
});
