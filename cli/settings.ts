import { type Command, Option } from 'commander';
import { configurationPage } from '../platform/runtime/configuration-page.ts';
import { readSettings, type Settings } from '../platform/runtime/settings.ts';
import { stateUserCommands } from '../platform/runtime/state-rights.ts';
import { redisTarget } from '../platform/state/redis-address.ts';
import { grantStatements } from '../schemas/tables/rights.ts';
import { print } from './output.ts';
import { ROLES, type RoleName, requireNeeds } from './roles/needs.ts';

export type SettingsReader = () => Settings;

/** The one place that reads the environment. */
export const settingsFromEnvironment: SettingsReader = () => readSettings(process.env);

/** Which parts the settings choose, without any address: it may hold a password. */
const partsOf = ({ kafka, redis, clickhouse, registry }: Settings): string =>
  [
    kafka === null ? 'log embedded' : 'log Kafka',
    redis === null ? 'state embedded' : 'state Redis',
    clickhouse === null ? 'warehouse embedded' : 'warehouse ClickHouse',
    registry === null ? 'schema ids bundled' : 'schema ids of the registry',
  ].join(', ');

const adminOf = ({ adminHost, adminPort }: Settings): string =>
  adminPort === null ? '' : `, /internal and /metrics: http://${adminHost}:${adminPort}`;

/** For the database and the cluster of the settings; neither has to be there. */
const grantsFor = ({ clickhouse }: Settings): string => {
  const address = clickhouse === null ? null : new URL(clickhouse.url).pathname.slice(1);
  return grantStatements(clickhouse?.database ?? (address || 'cas'), clickhouse?.cluster ?? null).join('\n');
};

/** In the database of the settings, which need not be there. */
const stateUsersFor = ({ redis }: Settings): string =>
  stateUserCommands(redis === null ? 0 : redisTarget({ url: redis.url }).target.db).join('\n');

interface ConfigOptions {
  readonly page?: boolean;
  readonly role?: RoleName;
  readonly clickhouseGrants?: boolean;
  readonly redisAcl?: boolean;
}

/** `cas config`: checks the settings, or prints the page that lists them. */
export function configCommand(program: Command, settings: SettingsReader): void {
  program
    .command('config')
    .description('check the settings of the environment, or print the page that describes them')
    .option('--check', 'validate and leave')
    .addOption(new Option('--role <role>', 'with all that this role needs').choices(ROLES))
    .option('--page', 'print docs/configuration.md')
    .option(
      '--clickhouse-grants',
      'print the statements that give the roles’ ClickHouse accounts their rights',
    )
    .option(
      '--redis-acl',
      'print the commands that give the roles’ Redis users their rights (Redis 7.0 or newer)',
    )
    .action((options: ConfigOptions) => {
      if (options.page === true) {
        process.stdout.write(configurationPage());
        return;
      }
      const valid = settings();
      if (options.clickhouseGrants === true) {
        print(grantsFor(valid));
        return;
      }
      if (options.redisAcl === true) {
        print(stateUsersFor(valid));
        return;
      }
      if (options.role !== undefined) requireNeeds(options.role, valid);
      print(`The settings are valid${options.role === undefined ? '' : ` for cas ${options.role}`}.`);
      print(
        `Parts: ${partsOf(valid)}. Data: ${valid.dataDir}. API: http://${valid.host}:${valid.port}${adminOf(valid)}`,
      );
    });
}
