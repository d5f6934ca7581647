import { type Command, Option } from 'commander';
import { configurationPage } from '#platform/config/configuration-page.ts';
import { hostInUrl } from '#platform/config/host-in-url.ts';
import { ROLES, type RoleName } from '#platform/config/roles.ts';
import { readValues, SettingsError, type SettingValues } from '#platform/config/setting-values.ts';
import { readSettings, type Settings } from '#platform/config/settings.ts';
import { redisTarget } from '#platform/state/redis/connection/address.ts';
import { stateUserCommands } from '#records/state-rights.ts';
import { grantStatements } from '#schemas/tables/rights.ts';
import { addExamples } from './help.ts';
import { print } from './output.ts';

/** `role`: also checks that everything needed by this role is set. */
export type SettingsReader = (role?: RoleName) => Settings;

/** The only code that reads the environment. */
export const settingsFromEnvironment: SettingsReader = (role) => readSettings(process.env, role);

/** Descriptions of the profiles, without addresses, which may hold passwords. */
const PROFILES: Readonly<Record<Settings['profile'], string>> = {
  embedded: 'embedded (everything in the data folder)',
  distributed: 'distributed (Kafka, Redis, ClickHouse and a schema registry)',
};

/** For the settings' database and cluster; neither needs to exist. */
const grantsFor = (values: SettingValues): string => {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, CLICKHOUSE_CLUSTER: cluster } = values;
  const ofAddress = url === undefined ? '' : new URL(url).pathname.slice(1);
  return grantStatements(database ?? (ofAddress || 'cas'), cluster ?? null).join('\n');
};

/** For the settings' database, which need not exist. */
const stateUsersFor = ({ REDIS_URL: url }: SettingValues): string =>
  stateUserCommands(url === undefined ? 0 : redisTarget({ url }).target.db).join('\n');

interface ConfigOptions {
  readonly page?: boolean;
  readonly role?: RoleName;
  readonly clickhouseGrants?: boolean;
  readonly redisAcl?: boolean;
}

/** `cas config`: checks the settings, or prints the page that lists them. */
export function configCommand(program: Command, settings: SettingsReader): void {
  const config = program
    .command('config')
    .summary('check the settings')
    .description('Check the settings of the environment, or print what depends on them.')
    .option('--check', 'check and exit (default)')
    .addOption(new Option('--role <role>', 'also check what this role needs').choices(ROLES))
    .option('--page', 'print the list of settings (docs/configuration.md)')
    .option('--clickhouse-grants', 'print the SQL that grants each role its rights in ClickHouse')
    .option('--redis-acl', 'print the commands that grant each role its rights in Redis (7.0 or newer)')
    .action((options: ConfigOptions) => {
      if (options.page === true) {
        process.stdout.write(configurationPage());
        return;
      }
      // Nothing is started, so no addresses of other servers need to be set.
      if (options.clickhouseGrants === true) {
        print(grantsFor(readValues(process.env)));
        return;
      }
      if (options.redisAcl === true) {
        print(stateUsersFor(readValues(process.env)));
        return;
      }
      const valid = settings(options.role);
      if (valid.misspelled.length > 0) throw new SettingsError(valid.misspelled);
      print(`The settings are valid${options.role === undefined ? '' : ` for cas ${options.role}`}.`);
      print(`  Profile  ${PROFILES[valid.profile]}`);
      print(`  Data     ${valid.dataDir}`);
      print(`  API      http://${hostInUrl(valid.host)}:${valid.port}${valid.basePath}`);
      if (valid.adminPort !== null)
        print(`  Admin    http://${hostInUrl(valid.adminHost)}:${valid.adminPort} (/internal and /metrics)`);
    });
  addExamples(config, [
    ['cas config --check', 'before a start'],
    ['cas config --role api', 'before a start of "cas api"'],
    ['cas config --redis-acl | redis-cli', 'as an administrator of the Redis server'],
  ]);
}
