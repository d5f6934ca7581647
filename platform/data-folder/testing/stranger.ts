import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe } from '#jest';

/** The user `nobody` on most systems; it only must not be the user who runs the tests. */
export const STRANGER_ID = 65_534;

/** Starts as root and drops privileges here, because another user may not have access to this Node binary. */
const BECOME = `process.setgroups([]); process.setgid(${STRANGER_ID}); process.setuid(${STRANGER_ID});\n`;
/** Exits when its input ends, even while it is listening. */
const LEAVE_WITH_INPUT = "process.stdin.on('end', () => process.exit()).resume();\n";

/** Command for a process that may switch to another user; undefined if neither this process nor sudo may. */
const start = [[process.execPath], ['sudo', '-n', process.execPath]].find(
  ([command = '', ...args]) => spawnSync(command, [...args, '-e', BECOME], { stdio: 'ignore' }).status === 0,
);

/** Tests with a process of another user. Skipped where that is impossible, with the reason in their name. */
export function describeWithStranger(name: string, body: () => void): void {
  if (start !== undefined) describe(name, body);
  else describe.skip(`${name} (skipped: needs root, or sudo, for a process of another user)`, body);
}

export interface Stranger {
  readonly child: ChildProcess;
  /** The next line that the process prints, parsed as JSON. */
  told(): Promise<unknown>;
  /** Writes a line to the process's input and resolves with the next line that it prints. */
  ask(line: string): Promise<unknown>;
  end(): Promise<void>;
}

/** Runs a program (CommonJS, arguments from `process.argv[1]`) as another user, outside our folders. */
export function startStranger(program: string, args: readonly string[]): Stranger {
  const [command = '', ...options] = start ?? [];
  const child = spawn(command, [...options, '-e', `${BECOME}${LEAVE_WITH_INPUT}${program}`, ...args], {
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
      child.stdin!.end();
      await gone;
    },
  };
}
