import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { SETTING_NAMES } from '#platform/config/setting-list.ts';
import { freePort, isFree } from '../../deploy/local/server/ports.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** Values for README's placeholders. */
interface Values {
  /** For `cas_...`: the last printed key. */
  key?: string;
  /** For `<auditId>`: from the ingest response. */
  auditId?: string;
  /** For `<customer-id>`: printed by `accounts create`. */
  customerId?: string;
}

/** A new user who types README's commands into a clean copy. */
export interface Reader {
  readonly folder: string;
  readonly url: string;
  readonly values: Values;
  /** Types a command into the main terminal; resolves to its output. Rejects unless it exits with 0. */
  type(command: string): Promise<string>;
  /** Types a curl call; resolves to its status and body. */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the test looks at
  call(command: string): Promise<{ status: number; body: any }>;
  /** Types a command into this and every later terminal, before anything else. */
  typeEverywhere(command: string): Promise<void>;
  /** Types a long-running command into its own terminal; resolves to its output once that matches. */
  open(command: string, until: RegExp): Promise<string>;
  /** Ctrl-C in the terminals of long-running commands; resolves to their output when all have ended. */
  leave(): Promise<string[]>;
  /** Presses Ctrl-C in every terminal; nothing can be typed afterwards. */
  close(): Promise<void>;
}

/** The environment of a user without settings for this program, and without a test runner or npm as parent. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !SETTING_NAMES.includes(name) &&
      !/^(NODE_|JEST_|INIT_CWD$|CI$|STACK_DIR$|REQUIRE_)/.test(name) &&
      (!/^npm_/.test(name) || /^npm_config_(registry|cache|userconfig)$/.test(name)),
  );
  const searched = (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.endsWith('node_modules/.bin'));
  return { ...Object.fromEntries(kept), PATH: searched.join(':') };
}

/** A free port followed by another free one: the API's second listener uses it on real servers. */
async function freePortBeforeAnother(): Promise<number> {
  const port = await freePort();
  return (await isFree(port + 1)) ? port : freePortBeforeAnother();
}

/**
 * Replaces only two things in README's commands: ports 8080 and 8081, which may be in use on this machine, and the
 * three values above.
 */
export async function openReader(folder: string): Promise<Reader> {
  const port = await freePortBeforeAnother();
  const url = `http://127.0.0.1:${port}`;
  const values: Values = {};
  // The status, which `curl -s` does not show, on a separate line.
  writeFileSync(path.join(folder, '.curlrc'), 'write-out = "\\n%{http_code}"\n');
  const environment = {
    ...plainEnvironment(),
    PORT: String(port),
    CURL_HOME: folder,
    npm_config_prefer_offline: 'true',
  };
  const main = openTerminal(folder, environment);
  const others: Terminal[] = [];
  const everywhere: string[] = [];

  const filled = (command: string): string => {
    const fill = (text: string, placeholder: string, value: string | undefined): string => {
      if (!text.includes(placeholder)) return text;
      if (value === undefined) throw new Error(`README has not said yet what ${placeholder} is: ${command}`);
      return text.replaceAll(placeholder, value);
    };
    let text = command.replaceAll('http://127.0.0.1:8080', url);
    text = fill(text, 'cas_...', values.key);
    text = fill(text, '<auditId>', values.auditId);
    return fill(text, '<customer-id>', values.customerId);
  };
  const runIn = async (terminal: Terminal, command: string): Promise<string> => {
    const { code, output } = await terminal.run(filled(command));
    if (code !== 0) throw new Error(`"${command}" left with ${code}:\n${output}`);
    return output;
  };

  return {
    folder,
    url,
    values,
    type: (command) => runIn(main, command),
    async call(command) {
      const output = await runIn(main, command);
      const end = output.lastIndexOf('\n');
      return { status: Number(output.slice(end + 1)), body: JSON.parse(output.slice(0, end)) };
    },
    async typeEverywhere(command) {
      everywhere.push(command);
      await runIn(main, command);
    },
    async open(command, until) {
      const terminal = openTerminal(folder, environment);
      others.push(terminal);
      for (const first of everywhere) await runIn(terminal, first);
      return terminal.start(filled(command), until);
    },
    leave: () => Promise.all(others.splice(0).map((terminal) => terminal.interrupt())),
    async close() {
      await Promise.all([main, ...others.splice(0)].map((terminal) => terminal.interrupt()));
    },
  };
}
