import { afterEach, beforeEach, expect, jest, test } from '#jest';
import { simulate } from './simulate.ts';
import type { VirtualTime } from './virtual-time.ts';

let printed: string[];
const { stackTraceLimit } = Error;

beforeEach(() => {
  printed = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    printed.push(String(line));
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  Error.stackTraceLimit = stackTraceLimit;
});

test.each([[['0']], [['--seconds', '0']], [['--seconds']], [['--seconds', 'many']]])(
  'a simulation that cannot run fails and says why: %s',
  async (args) => {
    const program = { time: {} as VirtualTime, realNow: () => 0 };
    expect(await simulate(args, program)).toBe(1);
    expect(printed.at(-1)).toContain('no run was made');
    expect(printed.join('')).not.toContain('NaN');
  },
);
