import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LEDGER, TRIPLETS } from '../../schemas/topics.ts';
import { describeEventLogContract } from './contract.ts';
import { openEmbeddedLog } from './embedded.ts';
import { type ContractEnvironment, type SpawnedAppender, spawnCrashAppender } from './harness.contract.ts';
import type { EventLog } from './port.ts';

async function begin(): Promise<ContractEnvironment> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-'));
  const logs: EventLog[] = [];
  const appenders: SpawnedAppender[] = [];

  return {
    topics: [TRIPLETS, LEDGER],
    async open(limits = {}) {
      const log = await openEmbeddedLog({ path: folder, topics: [TRIPLETS, LEDGER], ...limits });
      logs.push(log);
      return log;
    },
    async spawnAppender(topic, round) {
      const child = spawnCrashAppender({ log: { path: folder }, topic, round });
      appenders.push(child);
      return child;
    },
    async end() {
      await Promise.all(appenders.map((appender) => appender.kill()));
      await Promise.all(logs.map((log) => log.close()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describeEventLogContract('embedded', begin);
