import { useMemo } from 'react';
import { newIdempotencyKey } from './idempotency-key.ts';

/** Idempotency keys of a form. */
interface SubmitKeys {
  /** The same for the same content until it was taken: pressed again after a lost answer, nothing is made twice. */
  keyOf(body: unknown): string;
  /** It was taken: the same content is a new wish from now on. */
  taken(): void;
}

export function createSubmitKeys(newKey: () => string = newIdempotencyKey): SubmitKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyOf: (body) => {
      const text = JSON.stringify(body);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    taken: () => {
      last = null;
    },
  };
}

export const useSubmitKeys = (): SubmitKeys => useMemo(() => createSubmitKeys(), []);
