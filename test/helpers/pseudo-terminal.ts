import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface PseudoTerminal {
  /** Resolves to the output so far once it matches. */
  until(pattern: RegExp): Promise<string>;
  type(text: string): void;
  /** Resolves to the whole output when the command has ended. */
  readonly ended: Promise<string>;
  /** Closes the window, which ends everything running in it. */
  close(): void;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs a command on a real terminal with 80 columns, created by `script` (util-linux). */
export function openPseudoTerminal(
  command: readonly string[],
  environment: Record<string, string | undefined>,
): PseudoTerminal {
  const line = `stty cols 80; exec ${command.map(quoted).join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...environment, SHELL: '/bin/sh', TERM: 'xterm' },
  });
  let shown = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    shown += text;
  });
  const ended = once(child, 'close').then(() => shown);
  return {
    until: async (pattern) => {
      while (!pattern.test(shown)) {
        const more = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
        if (more === null && !pattern.test(shown)) throw new Error(`the command ended:\n${shown}`);
      }
      return shown;
    },
    type: (text) => void child.stdin.write(text),
    ended,
    close: () => void child.kill('SIGKILL'),
  };
}
