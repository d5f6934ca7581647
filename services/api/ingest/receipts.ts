import { MAX_TREE_SIZE, makeReceipts } from '#core/evidence/tree/receipts.ts';
import type { SigningKey } from '#platform/sealing/signing-key.ts';
import type { Receipt, ReceiptContent } from '#schemas/api/audits.ts';

/** Makes receipts. */
export interface ReceiptDesk {
  /** The receipt, with the signature that it shares with the others of this turn of the event loop. */
  receipt(content: Omit<ReceiptContent, 'keyId'>): Promise<Receipt>;
}

interface Waiting {
  readonly content: ReceiptContent;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Signs at the end of each turn what the turn brought: the log acknowledges a whole batch in one turn, and a signature
 * costs more than the rest of a receipt. Nothing waits for company, so that of a single request is signed by itself.
 */
export function createReceiptDesk({ keyId, sign }: Pick<SigningKey, 'keyId' | 'sign'>): ReceiptDesk {
  let waiting: Waiting[] = [];
  const signAll = (): void => {
    const taken = waiting;
    waiting = [];
    if (taken.length === 0) return;
    try {
      const contents = taken.map(({ content }) => content);
      const receipts = makeReceipts(contents, keyId, sign);
      for (const [place, { resolve }] of taken.entries()) resolve(receipts[place]!);
    } catch (error) {
      for (const { reject } of taken) reject(error);
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
