import * as contracts from '#schemas/api/partitions.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import * as useCases from './partitions.ts';

export function partitionRoutes(add: AddRoute, dependencies: useCases.PartitionDependencies): void {
  add(contracts.listStoppedPartitions, async () => ({ body: await useCases.listPartitions(dependencies) }));
  add(contracts.getStoppedPartition, async ({ params }) => ({
    body: envelope(await useCases.showPartition(dependencies, params)),
  }));
  add(contracts.getStoppedRecord, async ({ params }) => ({
    body: envelope(await useCases.saveRecord(dependencies, params)),
  }));
  add(contracts.acceptLoss, async ({ params, body }) => ({
    body: envelope(await useCases.acceptLoss(dependencies, params, body)),
  }));
}
