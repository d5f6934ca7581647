import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { describe } from '#jest';
import { TOPICS } from '#schemas/topics.ts';
import { BUDGET_BYTES, type BudgetEnvironment, budgetContract } from './budget.contract.ts';
import { openEmbeddedLog } from './event-log.ts';
import { openEmbeddedView } from './view.ts';

const logger = { warn: () => undefined, error: () => undefined };

/**
 * `viewed`: used through a port, as from another thread; here both ends are in one thread, which makes no difference to
 * ports.
 */
const begin = (viewed: boolean) => async (): Promise<BudgetEnvironment> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'log-budget-'));
  const opened = await openEmbeddedLog({
    path: folder,
    topics: TOPICS,
    maxBytes: BUDGET_BYTES,
    budgetIntervalMs: 5,
    batchDelayMs: 1,
    now: () => environment.now,
    shortage: () => environment.shortage,
    logger,
  });
  const { port1, port2 } = new MessageChannel();
  if (viewed) opened.serve(port1);
  const log = viewed ? await openEmbeddedView({ port: port2, path: folder, logger }) : opened;
  const environment: BudgetEnvironment = {
    log,
    usage: opened.usage,
    fileBytes: async () => (await stat(path.join(folder, 'log.mdb'))).size,
    shortage: null,
    now: Date.UTC(2026, 0, 1),
    async end() {
      await log.close();
      await opened.close();
      for (const port of [port1, port2]) port.close();
      await rm(folder, { recursive: true });
    },
  };
  return environment;
};

describe('embedded event log', () => budgetContract(begin(false)));
describe('embedded event log, from another thread', () => budgetContract(begin(true)));
