import { describe } from '#jest';
import { appendContract } from './append.contract.ts';
import { consumeContract } from './consume.contract.ts';
import { crashContract } from './crash.contract.ts';
import { groupContract } from './group.contract.ts';
import type { ContractEnvironment } from './harness.contract.ts';
import { reassignmentContract } from './reassignment.contract.ts';
import { tailContract } from './tail.contract.ts';

/**
 * What every adapter of the event log must do. `begin` gives each test its own environment. The contract also fits a
 * remote log: joining may take seconds, offsets may have gaps, and every condition is polled with a generous deadline.
 */
export function describeEventLogContract(name: string, begin: () => Promise<ContractEnvironment>): void {
  describe(`event log: ${name}`, () => {
    appendContract(begin);
    consumeContract(begin);
    groupContract(begin);
    tailContract(begin);
    crashContract(begin);
    reassignmentContract(async () => {
      const environment = await begin();
      const log = await environment.open({ revocationTimeoutMs: 50 });
      const { name: topic, partitions } = environment.topics[0];
      return { log, topic, partitions, end: environment.end };
    });
  });
}
