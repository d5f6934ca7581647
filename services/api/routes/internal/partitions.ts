import * as contracts from '../../../../schemas/api/partitions.ts';
import type { AddRoute } from '../../plugins/route.ts';
import { twice } from '../../use-cases/envelopes.ts';
import * as useCases from '../../use-cases/partitions.ts';

export function partitionRoutes(add: AddRoute, parts: useCases.PartitionParts): void {
  add(contracts.listStoppedPartitions, async () => ({ body: await useCases.listPartitions(parts) }));
  add(contracts.getStoppedPartition, async ({ params }) => ({
    body: twice(await useCases.showPartition(parts, params)),
  }));
  add(contracts.getStoppedRecord, async ({ params }) => ({
    body: twice(await useCases.saveRecord(parts, params)),
  }));
  add(contracts.acceptLoss, async ({ params, body }) => ({
    body: twice(await useCases.acceptLoss(parts, params, body)),
  }));
}
