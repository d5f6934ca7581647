/** A value unique to each submit. Works without a secure context, where `crypto.randomUUID` is missing. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
