import { describe, expect, test } from '#jest';
import { misspelledSettings } from './near-settings.ts';
import { readSettings } from './settings.ts';

describe('misspelled settings in the environment', () => {
  test.each([
    ['KAFKA_BROKER', 'KAFKA_BROKERS'],
    ['PROT', 'PORT'],
    ['REDIS_URI', 'REDIS_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['DATADIR', 'DATA_DIR'],
    ['LOG_LEVLE', 'LOG_LEVEL'],
    ['CLICKHOUSE_USERNAMES', 'CLICKHOUSE_USERNAME'],
    ['kafka_brokers', 'KAFKA_BROKERS'],
    ['INTERNAL_SECRETS', 'INTERNAL_SECRET'],
  ])('%s: did you mean %s', (sent, meant) => {
    expect(misspelledSettings({ [sent]: 'never-shown' })).toEqual([
      `${sent} is not a setting. Did you mean ${meant}?`,
    ]);
    expect(readSettings({ [sent]: 'never-shown' }).misspelled).toHaveLength(1);
  });

  test('ignore common names of other programs', () => {
    const names = `PATH HOME PWD OLDPWD SHELL LANG TERM USER LOGNAME HOSTNAME HOSTTYPE EDITOR TMPDIR TZ POST SHLVL DISPLAY
      SSH_AUTH_SOCK NO_COLOR FORCE_COLOR NODE_ENV NODE_OPTIONS CI DEBUG ALL_PROXY FTP_PROXY http_proxy https_proxy no_proxy
      XDG_DATA_HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_DIRS XDG_RUNTIME_DIR AWS_API_KEY AWS_ACCESS_KEY_ID
      AWS_SECRET_ACCESS_KEY AWS_CA_BUNDLE CLICKHOUSE_DB CLICKHOUSE_USER REDIS_HOST REDIS_PORT REDIS_DB KAFKA_PORT
      KAFKA_BROKER_ID KAFKA_HOST DATABASE_URL LOG_DIR STACK_DIR DETECT_DATA host port npm_config_cache
      KUBERNETES_SERVICE_HOST KUBERNETES_PORT JAVA_HOME`;
    const environment = Object.fromEntries(names.split(/\s+/).map((name) => [name, 'x']));
    expect(misspelledSettings(environment)).toEqual([]);
  });

  test('exclude empty variables, those next to the correct one, and files with secrets', () => {
    expect(misspelledSettings({ PROT: '' })).toEqual([]);
    expect(misspelledSettings({ PROT: '1', PORT: '8080' })).toEqual([]);
    expect(misspelledSettings({ INTERNAL_SECRET_FILE: '/run/secrets/one' })).toEqual([]);
  });
});
