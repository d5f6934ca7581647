import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ran {
  readonly code: number;
  /** Standard output and standard error. */
  readonly output: string;
}

/** A shell in its own window, which keeps exports and aliases. */
export interface Terminal {
  /** Types a command and waits for the prompt. */
  run(command: string): Promise<Ran>;
  /** Types a long-running command; resolves to its output once that matches, rejects if the command ends before. */
  start(command: string, until: RegExp): Promise<string>;
  /** Presses Ctrl-C and closes the window; resolves to the whole output when every process in it has ended. */
  interrupt(): Promise<string>;
}

const MARK = 'the-prompt-is-back';
const START_LIMIT_MS = 240_000;

/** Opens a window. Aliases work as in an interactive shell; the user's own settings are not read. */
export function openTerminal(folder: string, environment: NodeJS.ProcessEnv): Terminal {
  const shell = spawn('bash', ['--norc', '--noprofile', '-O', 'expand_aliases'], {
    cwd: folder,
    env: environment,
    // A separate process group, like a terminal's foreground job: Ctrl-C reaches all of it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let written = '';
  const listeners = new Set<() => void>();
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString('utf8');
      for (const listener of [...listeners]) listener();
    });
  // Both pipes close when the last process that has them open ends, not with the shell alone.
  const closed = once(shell, 'close');
  let prompts = 0;

  const typed = (command: string): { from: number; mark: RegExp } => {
    prompts += 1;
    shell.stdin.write(`${command}\nprintf '\\n%s %d %d\\n' ${MARK} ${prompts} $?\n`);
    return { from: written.length, mark: new RegExp(`\\n${MARK} ${prompts} (\\d+)\\n`) };
  };
  /** Calls `match` with the output since `from` whenever there is more, until it returns something. */
  const watch = async <Found>(from: number, match: (since: string) => Found | undefined): Promise<Found> => {
    let stop = (): void => undefined;
    const found = new Promise<Found>((resolve, reject) => {
      const listener = (): void => {
        try {
          const answer = match(written.slice(from));
          if (answer !== undefined) resolve(answer);
        } catch (error) {
          reject(error);
        }
      };
      const limit = setTimeout(
        () => reject(new Error(`nothing came within ${START_LIMIT_MS} ms:\n${written.slice(from)}`)),
        START_LIMIT_MS,
      );
      listeners.add(listener);
      void closed.then(() => reject(new Error(`the shell ended:\n${written.slice(from)}`)));
      stop = () => {
        clearTimeout(limit);
        listeners.delete(listener);
      };
      listener();
    });
    return found.finally(() => stop());
  };

  return {
    async run(command) {
      const { from, mark } = typed(command);
      return watch(from, (since) => {
        const found = mark.exec(since);
        return found === null ? undefined : { code: Number(found[1]), output: since.slice(0, found.index) };
      });
    },
    async start(command, until) {
      const { from, mark } = typed(command);
      return watch(from, (since) => {
        if (mark.test(since)) throw new Error(`"${command}" ended:\n${since}`);
        return until.test(since) ? since : undefined;
      });
    },
    async interrupt() {
      if (shell.exitCode === null && shell.signalCode === null) process.kill(-shell.pid!, 'SIGINT');
      shell.stdin.on('error', () => undefined);
      shell.stdin.end();
      await closed;
      return written;
    },
  };
}
