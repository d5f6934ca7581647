import { describe } from '#jest';
import { describePackageFiles } from '#platform/packages/contract.ts';
import { drawFaults } from '../faults.ts';
import { createNetwork, startProcess } from '../process.ts';
import { randomOf } from '../random.ts';
import { createTrace } from '../trace.ts';
import { packagesOfProcess } from './packages.ts';

describe('packages in a simulated folder without faults', () => {
  const random = randomOf(1);
  const faults = drawFaults(random, () => false);
  const now = () => performance.now();
  const network = createNetwork({ random, faults, trace: createTrace(false), now, delayMs: 1 });
  const process = startProcess({ name: 'test', wall: Date.now, sessionTimeoutMs: 10, zombieMs: 10 });
  const files = packagesOfProcess(new Map(), network, process);
  describePackageFiles(() => files);
});
