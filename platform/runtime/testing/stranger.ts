import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe } from '@jest/globals';

/** The user `nobody` of most systems; all that counts is that it is not the one who runs the tests. */
export const STRANGER_ID = 65_534;

/**
 * Tests with a process of another user, which only root may start. For anybody else they are reported as skipped, with
 * the reason in their name.
 */
export function describeWithStranger(name: string, body: () => void): void {
  if (process.geteuid?.() === 0) describe(name, body);
  else describe.skip(`${name} (skipped: only root may start a process of another user)`, body);
}

export interface Stranger {
  readonly child: ChildProcess;
  /** The next line that it prints, as JSON. */
  told(): Promise<unknown>;
  /** Writes a line to its input and resolves with what it prints next. */
  ask(line: string): Promise<unknown>;
  end(): Promise<void>;
}

/** Runs a program (CommonJS, arguments from `process.argv[1]`) as another user, in no folder of ours. */
export function startStranger(program: string, args: readonly string[]): Stranger {
  const child = spawn(process.execPath, ['-e', program, ...args], {
    uid: STRANGER_ID,
    gid: STRANGER_ID,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const told = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the process of the other user ended');
    return JSON.parse(value);
  };
  return {
    child,
    told,
    ask: (line) => {
      child.stdin!.write(`${line}\n`);
      return told();
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
