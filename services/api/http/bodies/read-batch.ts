import { createHash } from 'node:crypto';
import { invalid, Refusal } from '#platform/flow/refusal.ts';
import { runSteps, type YieldTurn } from '#platform/flow/time-slice.ts';
import type { IdempotencyKey } from '#platform/state/port.ts';
import { MAX_BATCH_ITEMS } from '#schemas/api/audit-batch.ts';
import { MAX_TRIPLET_BYTES, triplet } from '#schemas/api/audits.ts';
import { MIB } from '#schemas/api/contract.ts';
import { checkCustomFields } from '../../operations/custom-fields.ts';
import type { ReadItem } from '../../operations/read-item.ts';
import { check } from '../errors/check.ts';
import { batchItems, type RawItem } from './batch-items.ts';
import { type Body, mediaJsonInSteps } from './body.ts';
import { MAX_JSON_VALUES } from './json-walk.ts';
import { type SentBody, withReferences } from './sent-body.ts';

/** The items in order. Throws if the batch as a whole is invalid. */
export async function readBatch(batch: Body, yieldTurn: YieldTurn): Promise<ReadItem[]> {
  const items: ReadItem[] = [];
  for (const item of batchItems(batch)) {
    if (item !== undefined) {
      if (items.length === MAX_BATCH_ITEMS) throw invalid('body', `send at most ${MAX_BATCH_ITEMS} triplets`);
      // An item that exceeds the limit is never built.
      if (item.shape.values <= MAX_JSON_VALUES) batch.hold(item.shape.values);
      items.push(await runSteps(readItem(batch, item), yieldTurn));
    }
    await yieldTurn();
  }
  if (items.length === 0) throw invalid('body', `send 1 to ${MAX_BATCH_ITEMS} triplets`);
  // A broken line breaks only itself; a broken element breaks the whole array.
  const broken = items.find((item) => item instanceof Refusal && item.code === 'INVALID_JSON');
  if (batch.mediaType === 'application/json' && broken instanceof Refusal) throw broken;
  return items;
}

function* readItem({ hold }: Body, { bytes, shape }: RawItem): Generator<undefined, ReadItem> {
  try {
    const sent = yield* mediaJsonInSteps({ bytes, hold }, MAX_TRIPLET_BYTES, shape);
    const read = check(triplet, withReferences(sent));
    checkCustomFields(read.metadata?.customFields);
    return { triplet: read, sent };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const DIGESTED_AT_ONCE = MIB;

/** The Idempotency-Key of a batch. Its digest is computed over the bytes, chunk by chunk. */
export async function batchKey(
  sent: SentBody,
  { bytes }: Body,
  yieldTurn: YieldTurn,
): Promise<IdempotencyKey | null> {
  // The digest is most of the work, and is needed only if the request has a key.
  if (sent.idempotency('') === null) return null;
  const digest = createHash('sha256');
  for (let from = 0; from < bytes.length; from += DIGESTED_AT_ONCE) {
    digest.update(bytes.subarray(from, from + DIGESTED_AT_ONCE));
    await yieldTurn();
  }
  return sent.idempotency(digest.digest());
}
