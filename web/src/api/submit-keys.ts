/** A value that no other submit has. Works without a secure context, where `crypto.randomUUID` is missing. */
export const newSubmitKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Idempotency keys of a form. */
interface SubmitKeys {
  /** The same for the same content until it was taken: pressed again after a lost answer, nothing is made twice. */
  keyOf(body: unknown): string;
  /** It was taken: the same content is a new wish from now on. */
  taken(): void;
}

export function createSubmitKeys(newKey: () => string = newSubmitKey): SubmitKeys {
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
