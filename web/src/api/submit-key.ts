import { useMemo } from 'react';

/** A value that no other submit has. Works without a secure context, where `crypto.randomUUID` is missing. */
export const newSubmitKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

interface SubmitKeys {
  /** The same for a repeat of what was sent last, whose answer may have been lost, and a new one for anything else. */
  keyOf(sent: unknown): string;
  /** What was sent was answered: the same once more is another submit. */
  forget(): void;
}

export function createSubmitKeys(newKey: () => string = newSubmitKey): SubmitKeys {
  let last: { readonly text: string; readonly key: string } | null = null;
  return {
    keyOf: (sent) => {
      const text = JSON.stringify(sent);
      if (last?.text !== text) last = { text, key: newKey() };
      return last.key;
    },
    forget: () => {
      last = null;
    },
  };
}

export const useSubmitKeys = (): SubmitKeys => useMemo(() => createSubmitKeys(), []);
