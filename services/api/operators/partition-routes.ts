import * as contracts from '#schemas/api/partitions.ts';
import { envelope } from '../http/envelopes.ts';
import type { AddRoute } from '../http/route.ts';
import * as operations from './partitions.ts';

export function partitionRoutes(add: AddRoute, dependencies: operations.PartitionDependencies): void {
  add(contracts.listStoppedPartitions, async () => ({ body: await operations.listPartitions(dependencies) }));
  add(contracts.getStoppedPartition, async ({ params }) => ({
    body: envelope(await operations.showPartition(dependencies, params)),
  }));
  add(contracts.getStoppedRecord, async ({ params }) => ({
    body: envelope(await operations.saveRecord(dependencies, params)),
  }));
  add(contracts.acceptLoss, async ({ params, body }) => ({
    body: envelope(await operations.acceptLoss(dependencies, params, body)),
  }));
}
