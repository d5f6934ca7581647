import os from 'node:os';
import { afterAll, expect, jest, test } from '#jest';

const { fetch } = globalThis;
const globals = globalThis as Record<string, unknown>;
const real = { random: Math.random, setTimeout, tick: process.nextTick };

/** Checks that a previous file left nothing, and then leaves as much as possible. */
export function leaveTraces(): void {
  test('finds no traces', () => {
    expect(process.env.LEFT_BEHIND).toBeUndefined();
    expect(process.env.LANG).not.toBe('left');
    expect(globals.leftBehind).toBeUndefined();
    expect(globals.fetch).toBe(fetch);
    expect(process.cwd()).not.toBe(os.tmpdir());
    expect(process.listenerCount('SIGUSR2')).toBe(0);
    expect({ random: Math.random, setTimeout, tick: process.nextTick }).toEqual(real);
  });
  afterAll(() => {
    process.env.LEFT_BEHIND = 'yes';
    process.env.LANG = 'left';
    globals.leftBehind = 'yes';
    globals.fetch = () => undefined;
    process.chdir(os.tmpdir());
    process.on('SIGUSR2', () => undefined);
    jest.spyOn(Math, 'random').mockReturnValue(4);
    jest.useFakeTimers();
  });
}
