import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { packageRoot } from './package-root.ts';
import { configurationPage, readSettings, SettingsError } from './settings.ts';

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.faults;
    throw error;
  }
  return [];
};

describe('settings', () => {
  test('an empty environment gives the defaults', () => {
    expect(readSettings({})).toMatchObject({ host: '127.0.0.1', port: 8080, logLevel: 'info', test: false });
  });

  test('all faults are reported at once, without the value of a secret', () => {
    const faults = faultsOf({ PORT: 'many', LOG_LEVEL: 'loud', INTERNAL_SECRET: 'hunter2' });
    expect(faults).toHaveLength(3);
    expect(faults.join()).not.toContain('hunter2');
  });

  test('test settings are refused outside a test', () => {
    expect(faultsOf({ CRASH_AT: 'sink.x:1', FAULT_INJECTION: 'detect:m:1' })).toHaveLength(2);
    expect(faultsOf({ CRASH_AT: 'sink.x:1', FAULT_INJECTION: 'detect:m:1', NODE_ENV: 'test' })).toEqual([]);
  });

  test('a part that this release cannot use is refused, not ignored', () => {
    expect(faultsOf({ KAFKA_BROKERS: 'localhost:9092' })[0]).toContain('embedded parts only');
  });

  test('docs/configuration.md is up to date', () => {
    const page = readFileSync(path.join(packageRoot(), 'docs/configuration.md'), 'utf8');
    expect(page).toBe(configurationPage());
  });
});
