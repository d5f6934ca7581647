import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { describeOnStack } from '../helpers/stack.ts';
import { type CleanCopy, makeCleanCopy } from './clean-copy.ts';
import { PROMISES, type Promised, type Way } from './promises.ts';
import { openReader, type Reader } from './reader.ts';
import { commandsInSentences, commandsOf } from './shell-blocks.ts';

/** The pages whose commands are typed, in the order in which a newcomer reads them. */
const pages = ['README.md', 'docs/distributed.md', 'docs/first-calls.md'].map((name) =>
  readFileSync(path.join(packageRoot(), name), 'utf8'),
);
const commands = pages.flatMap(commandsOf);
const typed = PROMISES.map((promised, place) => ({ ...promised, command: commands[place] ?? '' }));
const titleOf = ({ command }: { command: string }): string => command.replaceAll(/\s*\n\s*/g, ' ');

describe('README', () => {
  test('has no command whose promise is not known here', () => {
    const unknown = commands.filter((command, place) => !command.startsWith(PROMISES[place]?.begins ?? '\n'));
    expect(unknown).toEqual([]);
    expect(commands).toHaveLength(PROMISES.length);
  });

  test('names in its sentences only commands that stand in its blocks', () => {
    const strange = pages
      .flatMap(commandsInSentences)
      .filter((named) => !commands.some((command) => command.includes(named)));
    expect(strange).toEqual([]);
  });

  test('has no command that is typed nowhere, but for those of Docker', () => {
    const left = typed.filter(({ on }) => on.length === 0);
    expect(left.map(({ begins }) => begins.split(' ')[0])).toEqual(['docker']);
    for (const { command, notRun } of left) process.stdout.write(`README, not run: ${command} (${notRun})\n`);
  });
});

/** The last copy made. The next one takes over its installed packages: the lock file is the same. */
let copy: CleanCopy | null = null;
afterAll(() => copy?.remove());

/** All commands of one way in README's order, in a separate clean copy. */
function playAll(
  way: Way,
  leaveAndLook: (reader: Reader) => Promise<void>,
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
  test('Ctrl-C drains and ends all that goes on', () => leaveAndLook(reader));
  for (const each of own.filter(({ last }) => last === true)) test(titleOf(each), () => play(each));
}

/** No terminal may show an error line, or a warning of Node. */
const expectQuiet = (written: readonly string[]): void => {
  for (const text of written) {
    expect(text).not.toMatch(/"level":[56]0/);
    expect(text).not.toMatch(/\(node:\d+\).*Warning/);
  }
};

describe('README as it stands, typed by somebody new: embedded', () => {
  playAll('embedded', async (reader) => {
    expectQuiet(await reader.leave());
    // "The next start keeps all data": there is a customer, so no demo customer is made again.
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

describeOnStack('README as it stands, typed by somebody new: distributed, on the local stack', () => {
  playAll(
    'distributed',
    async (reader) => expectQuiet(await reader.leave()),
    // Also when an earlier test failed: the servers outlive the terminals.
    (reader) => reader.type('npm run --silent stack -- stop --delete-data'),
  );
});
