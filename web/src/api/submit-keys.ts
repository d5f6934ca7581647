import { useMemo } from 'react';
import { newIdempotencyKey } from './idempotency-key.ts';

/** Idempotency keys of a form. */
interface SubmitKeys {
  /**
   * The same key for the same content until it is accepted: submitting again after a lost response creates nothing
   * twice.
   */
  keyOf(body: unknown): string;
  /** The submit was accepted: the same content counts as a new one from now on. */
  accepted(): void;
}

export function createSubmitKeys(newKey: () => string = newIdempotencyKey): SubmitKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyOf: (body) => {
      const text = JSON.stringify(body);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    accepted: () => {
      last = null;
    },
  };
}

export const useSubmitKeys = (): SubmitKeys => useMemo(() => createSubmitKeys(), []);
