import { partitionOf } from '#platform/event-log/murmur2.ts';
import { LEDGER } from '#schemas/topics.ts';

export const partitionOfCustomer = (customerId: string): number => partitionOf(customerId, LEDGER.partitions);
