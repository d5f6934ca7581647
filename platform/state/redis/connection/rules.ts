/** What a user of Redis may do. */
export interface RedisRules {
  readonly keys: readonly { readonly pattern: string; readonly access: 'read' | 'all' }[];
  /** Upper case; a subcommand after a space. */
  readonly commands: readonly string[];
}

/** Commands without which the state still works. */
const OPTIONAL = ['BGREWRITEAOF', 'CLIENT INFO'];
const SIGNS = { read: '%R~', all: '~' } as const;

/** As in an ACL file, or after `ACL SETUSER <name>`: exactly these rights. */
export const ruleText = ({ keys, commands }: RedisRules): string =>
  [
    'resetkeys resetchannels -@all',
    ...keys.map(({ pattern, access }) => `${SIGNS[access]}${pattern}`),
    ...commands.map((command) => `+${command.toLowerCase().replace(' ', '|')}`),
  ].join(' ');

/** Arguments of commands that take no key. */
const WITHOUT_KEYS: Readonly<Record<string, readonly string[]>> = {
  INFO: [],
  TIME: [],
  WAIT: ['1', '1'],
  SCAN: ['0'],
  SELECT: ['0'],
  ...Object.fromEntries(['EVAL', 'EVALSHA', 'EVAL_RO', 'EVALSHA_RO'].map((name) => [name, ['', '0']])),
};

interface RightProbe {
  /** The call whose permission is checked without running it. */
  readonly call: readonly string[];
  /** The permission in words. */
  readonly right: string;
}

/** Calls that together need exactly these rights. */
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
