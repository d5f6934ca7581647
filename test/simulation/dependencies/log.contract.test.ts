import { describe } from '#jest';
import { consumeContract } from '#platform/event-log/consume.contract.ts';
import { groupContract } from '#platform/event-log/group.contract.ts';
import type { ContractEnvironment } from '#platform/event-log/harness.contract.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import { reassignmentContract } from '#platform/event-log/reassignment.contract.ts';
import { tailContract } from '#platform/event-log/tail.contract.ts';
import { LEDGER, PARTITIONS, TRIPLETS } from '#schemas/topics.ts';
import { drawFaults } from '../faults.ts';
import { createNetwork, startProcess } from '../process.ts';
import { randomOf } from '../random.ts';
import { createTrace } from '../trace.ts';
import { createDurableLog } from './log.ts';
import { logOfProcess } from './log-of-process.ts';

/** The log of a process in a simulated world, without faults and in real time. */
async function start(revocationTimeoutMs = 30_000): Promise<ContractEnvironment> {
  const random = randomOf(1);
  const log = createDurableLog({
    topics: [TRIPLETS, LEDGER],
    wall: Date.now,
    revocationTimeoutMs,
    used: () => Array.from({ length: PARTITIONS }, (_, partition) => partition),
  });
  const faults = drawFaults(random, () => false);
  const now = () => performance.now();
  const network = createNetwork({ random, faults, trace: createTrace(false), now, delayMs: 1 });
  const opened: EventLog[] = [];
  return {
    topics: [TRIPLETS, LEDGER],
    open: async () => {
      const process = startProcess({ name: 'test', wall: Date.now, sessionTimeoutMs: 10, zombieMs: 10 });
      const own = logOfProcess({ log, network, process, random });
      opened.push(own);
      return own;
    },
    spawnAppender: async () => {
      throw new Error('a simulated log lives in one process');
    },
    end: async () => {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}

// Limits and crashes of real processes only concern the real adapters.
describe('the simulated event log', () => {
  consumeContract(() => start());
  groupContract(() => start());
  tailContract(() => start());
  reassignmentContract(async () => {
    const { open, end } = await start(20);
    return { topic: TRIPLETS.name, partitions: PARTITIONS, log: await open(), end };
  });
});
