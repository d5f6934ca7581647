import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { describeOnStack } from '../helpers/stack.ts';
import { type CleanCopy, makeCleanCopy } from './clean-copy.ts';
import { PROMISES, type Promised, type Way } from './promises.ts';
import { openReader, type Reader } from './reader.ts';
import { commandsInSentences, commandsOf } from './shell-blocks.ts';

/** The pages whose commands are typed, in reading order for a new user. */
const pages = ['README.md', 'docs/distributed.md', 'docs/first-calls.md'].map((name) =>
  readFileSync(path.join(packageRoot(), name), 'utf8'),
);
const commands = pages.flatMap(commandsOf);
const typed = PROMISES.map((promised, index) => ({ ...promised, command: commands[index] ?? '' }));
const titleOf = ({ command }: { command: string }): string => command.replaceAll(/\s*\n\s*/g, ' ');

describe('README', () => {
  test('has an expectation here for every command', () => {
    const unknown = commands.filter((command, index) => !command.startsWith(PROMISES[index]?.begins ?? '\n'));
    expect(unknown).toEqual([]);
    expect(commands).toHaveLength(PROMISES.length);
  });

  test('mentions in its sentences only commands from its blocks', () => {
    const strange = pages
      .flatMap(commandsInSentences)
      .filter((named) => !commands.some((command) => command.includes(named)));
    expect(strange).toEqual([]);
  });

  test('has every command typed by a test, except those of Docker', () => {
    const left = typed.filter(({ on }) => on.length === 0);
    expect(left.map(({ begins }) => begins.split(' ')[0])).toEqual(['docker']);
    for (const { command, notRun } of left) process.stdout.write(`README, not run: ${command} (${notRun})\n`);
  });
});

/** The latest copy. The next one takes over its installed packages, because the lock file is the same. */
let copy: CleanCopy | null = null;
afterAll(() => copy?.remove());

/** Types all commands of one way in README's order, in a separate clean copy. */
function playAll(
  way: Way,
  leaveAndCheck: (reader: Reader) => Promise<void>,
  cleanUp: (reader: Reader) => Promise<unknown> = async () => undefined,
): void {
  let reader: Reader;
  beforeAll(async () => {
    const before = copy;
    copy = makeCleanCopy(before?.folder);
    before?.remove();
    reader = await openReader(copy.folder);
  });
  afterAll(async () => {
    await reader?.leave();
    await cleanUp(reader);
    await reader?.close();
  }, 60_000);

  const own = typed.filter(({ on }) => on.includes(way));
  const play = ({ play: played, command }: Promised & { command: string }): Promise<void> =>
    played!(reader, command);
  for (const each of own.filter(({ last }) => last !== true)) test(titleOf(each), () => play(each));
  test('Ctrl-C drains and stops every running command', () => leaveAndCheck(reader));
  for (const each of own.filter(({ last }) => last === true)) test(titleOf(each), () => play(each));
}

/** No terminal may show an error or a Node warning. */
const expectQuiet = (written: readonly string[]): void => {
  for (const text of written) {
    expect(text).not.toMatch(/"level":[56]0/);
    expect(text).not.toMatch(/\(node:\d+\).*Warning/);
  }
};

describe('README as written, typed by a new user: embedded', () => {
  playAll('embedded', async (reader) => {
    expectQuiet(await reader.leave());
    // "The next start keeps all data": there is a customer, so no demo customer is created again.
    const next = await openReader(reader.folder);
    const output = await next.open('npm start', /Ctrl-C to stop/);
    expect(output).toMatch(new RegExp(`Dashboard {3}${next.url}/ui/#token=[0-9a-f]{64} `));
    expect(output).not.toContain('cas_');
    const key = reader.values.key!;
    const { status, body } = await next.call(`curl -s ${next.url}/sandboxes -H 'x-service-key: ${key}'`);
    expect([status, body.data.length]).toEqual([200, 1]);
    expectQuiet(await next.leave());
    await next.close();
  });
});

describeOnStack('README as written, typed by a new user: distributed, on the local stack', () => {
  playAll(
    'distributed',
    async (reader) => expectQuiet(await reader.leave()),
    // Runs even if an earlier test failed: the servers outlive the terminals.
    (reader) => reader.type('npm run --silent stack -- stop --delete-data'),
  );
});
