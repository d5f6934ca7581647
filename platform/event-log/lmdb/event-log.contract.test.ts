import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { describeEventLogContract } from '../contract.ts';
import {
  type ContractEnvironment,
  type OpenLimits,
  type SpawnedAppender,
  spawnCrashAppender,
} from '../harness.contract.ts';
import type { EventLog } from '../port.ts';
import { openEmbeddedLog } from './event-log.ts';
import { openEmbeddedView } from './view.ts';

const SILENT = { warn: () => undefined, error: () => undefined };

type Open = (folder: string, limits: OpenLimits) => Promise<EventLog>;

const openLog: Open = (folder, limits) =>
  openEmbeddedLog({ path: folder, topics: [TRIPLETS, LEDGER], ...limits });

/** The log as another thread uses it; here both ends are in one thread, which makes no difference to ports. */
const openView: Open = async (folder, limits) => {
  const log = await openEmbeddedLog({ path: folder, topics: [TRIPLETS, LEDGER], ...limits });
  const { port1, port2 } = new MessageChannel();
  log.serve(port1);
  const view = await openEmbeddedView({ port: port2, path: folder, logger: SILENT, ...limits });
  return {
    ...view,
    close: async () => {
      await view.close();
      await log.close();
    },
  };
};

const begin = (openOne: Open) => async (): Promise<ContractEnvironment> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-'));
  const logs: EventLog[] = [];
  const appenders: SpawnedAppender[] = [];

  return {
    topics: [TRIPLETS, LEDGER],
    async open(limits = {}) {
      const log = await openOne(folder, limits);
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
};

describeEventLogContract('embedded', begin(openLog));
describeEventLogContract('embedded, from another thread', begin(openView));
