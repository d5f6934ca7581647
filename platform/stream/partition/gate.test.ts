import { expect, test } from '#jest';
import { createGate } from './gate.ts';

test('exclusive work overlaps with nothing, other work overlaps, and none waits forever', async () => {
  const gate = createGate();
  const active = new Set<string>();
  let [together, finished] = [0, 0];
  const work = (name: string, alone: boolean) =>
    gate.enter(alone, async () => {
      active.add(name);
      for (let turn = 0; turn < 3; turn++) {
        if (alone) expect([...active]).toEqual([name]);
        together = Math.max(together, active.size);
        await new Promise((resolve) => setImmediate(resolve));
      }
      active.delete(name);
      finished += 1;
    });
  await Promise.all(Array.from({ length: 40 }, (_, i) => work(String(i), i % 5 === 3)));
  expect(finished).toBe(40);
  expect(together).toBeGreaterThan(1);
});

test('failed work makes room for the next', async () => {
  const gate = createGate();
  await expect(gate.enter(true, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await gate.enter(true, async () => 'next')).toBe('next');
});
