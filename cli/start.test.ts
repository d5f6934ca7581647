import { Command } from 'commander';
import { expect, test } from '#jest';
import { readSettings } from '#platform/config/settings.ts';
import { startCommand } from './start.ts';

test('"cas start" requires the embedded profile, and says what to run instead', async () => {
  const program = new Command();
  startCommand(program, () =>
    readSettings({
      KAFKA_BROKERS: 'localhost:9092',
      REDIS_URL: 'redis://localhost',
      CLICKHOUSE_URL: 'http://localhost:8123',
      SCHEMA_REGISTRY_URL: 'http://localhost:8081',
    }),
  );
  await expect(program.parseAsync(['start', '--quiet'], { from: 'user' })).rejects.toThrow(
    /KAFKA_BROKERS is set.*"cas migrate".*"cas api", "cas analyzer", "cas sink" and "cas correlator".*unset KAFKA_BROKERS/,
  );
});
