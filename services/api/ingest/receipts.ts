import { MAX_TREE_SIZE, makeReceipts } from '#core/evidence/tree/receipts.ts';
import type { SigningKey } from '#platform/sealing/signing-key.ts';
import type { Receipt, ReceiptContent } from '#schemas/api/audits.ts';

export interface ReceiptSigner {
  /** The receipt, with the signature shared by all receipts of this turn of the event loop. */
  receipt(content: Omit<ReceiptContent, 'keyId'>): Promise<Receipt>;
}

interface Waiting {
  readonly content: ReceiptContent;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Signs once at the end of each turn: the log acknowledges a whole batch in one turn, and a signature costs more than
 * the rest of a receipt. No receipt waits for others, so that of a single request is signed alone.
 */
export function createReceiptSigner({ keyId, sign }: Pick<SigningKey, 'keyId' | 'sign'>): ReceiptSigner {
  let waiting: Waiting[] = [];
  const signAll = (): void => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const contents = batch.map(({ content }) => content);
      const receipts = makeReceipts(contents, keyId, sign);
      for (const [index, { resolve }] of batch.entries()) resolve(receipts[index]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return {
    receipt: ({ payloadDigest, nonce, acceptedAt, partition, offset }) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(signAll);
        const content = { payloadDigest, nonce, acceptedAt, partition, offset, keyId };
        waiting.push({ content, resolve, reject });
        if (waiting.length === MAX_TREE_SIZE) signAll();
      }),
  };
}
