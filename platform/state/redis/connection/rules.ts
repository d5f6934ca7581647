/** What a user of Redis may do. */
export interface RedisRules {
  readonly keys: readonly { readonly pattern: string; readonly access: 'read' | 'all' }[];
  /** Upper case; a subcommand after a space. */
  readonly commands: readonly string[];
}

/** The state works without these where they are forbidden. */
const OPTIONAL = ['BGREWRITEAOF', 'CLIENT INFO'];
const SIGNS = { read: '%R~', all: '~' } as const;

/** As in an ACL file, or after `ACL SETUSER <name>`: these rights and no others. */
export const ruleText = ({ keys, commands }: RedisRules): string =>
  [
    'resetkeys resetchannels -@all',
    ...keys.map(({ pattern, access }) => `${SIGNS[access]}${pattern}`),
    ...commands.map((command) => `+${command.toLowerCase().replace(' ', '|')}`),
  ].join(' ');

/** Arguments of commands that name no key. */
const WITHOUT_KEYS: Readonly<Record<string, readonly string[]>> = {
  INFO: [],
  TIME: [],
  WAIT: ['1', '1'],
  SCAN: ['0'],
  SELECT: ['0'],
  ...Object.fromEntries(['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO'].map((name) => [name, ['', '0']])),
};

interface RightProbe {
  /** The call whose permission is checked; it is not run. */
  readonly call: readonly string[];
  /** The permission in words. */
  readonly right: string;
}

/** Calls that together need all of the rights, and nothing else. */
export function rightProbes({ keys, commands }: RedisRules): RightProbe[] {
  const sample = keys.find(({ access }) => access === 'all')?.pattern ?? '';
  return [
    ...commands
      .filter((command) => !OPTIONAL.includes(command))
      .map((command) => ({
        call: [command, ...(WITHOUT_KEYS[command] ?? [sample])],
        right: command,
      })),
    ...keys.flatMap(({ pattern, access }) => [
      { call: ['GET', pattern], right: `read ${pattern}` },
      ...(access === 'read' ? [] : [{ call: ['SET', pattern, ''], right: `write ${pattern}` }]),
    ]),
  ];
}
