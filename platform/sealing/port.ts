import type { Sealed } from '#schemas/events/events.ts';
import type { DocumentSeals } from './document-seals.ts';

/** Kind of a sealed record: part of its additional data, so that one kind can never pass for another. */
export type SealPurpose = 'triplet' | 'detail';

export interface Sealer {
  /**
   * Encrypts with a data key, which the customer's key wraps. `recordId`: audit id of a triplet, entry id of a detail.
   * Creates the customer's key on first use. Rejects with `KeyDestroyed` or `StateUnavailable`.
   */
  seal(customerId: string, purpose: SealPurpose, recordId: string, plaintext: Buffer): Promise<Sealed>;
}

export interface Opener {
  /** Rejects with `KeyDestroyed`, `KeyAbsent`, `CannotOpen` or `StateUnavailable`. */
  open(customerId: string, purpose: SealPurpose, recordId: string, sealed: Sealed): Promise<Buffer>;
}

export interface Keyring extends Sealer, Opener {
  /** Seals of the state's documents, with the master key. */
  readonly documentSeals: DocumentSeals;
  /** Rejects with `MasterKeyMismatch` if the state was sealed with another master key. */
  verify(): Promise<void>;
  /** Like `verify`, but records this master key if the state has none yet. */
  adopt(): Promise<void>;
  /**
   * Destroys the customer's key permanently and leaves a mark in its place. Other processes follow within `CACHE_MS`.
   * Nothing sealed with it can ever be opened again. Idempotent.
   */
  destroy(customerId: string): Promise<void>;
  /** 32 bytes, stable per customer, for keyed hashes of redacted values. Lost with the customer's key. */
  hashKey(customerId: string): Promise<Buffer>;
  /**
   * 16 bytes, stable per customer, for similarity fingerprints (version 1) only. Lost with the customer's key, which it
   * does not reveal. Creates that key on first use. Rejects with `KeyDestroyed` or `StateUnavailable`.
   */
  fingerprintKey(customerId: string): Promise<Buffer>;
}

/** The customer's key was destroyed on purpose: what it sealed is erased. */
export class KeyDestroyed extends Error {
  constructor() {
    super('the key of this customer was destroyed, so its data is erased');
    this.name = 'KeyDestroyed';
  }
}

/** The sealed bytes were changed, belong to another record or customer, or name a key that never existed. */
export class CannotOpen extends Error {
  constructor(reason: string) {
    super(`cannot decrypt the record: ${reason}`);
    this.name = 'CannotOpen';
  }
}

/** Neither a key nor the mark of a destroyed one: the state was lost, or another one is connected. */
export class KeyAbsent extends CannotOpen {
  constructor() {
    super('the state has no key for this customer. Restore the state from its backup');
    this.name = 'KeyAbsent';
  }
}

/** The state was sealed with another master key, or it is damaged. No record is at fault. */
export class MasterKeyMismatch extends Error {
  constructor() {
    super('stored data cannot be decrypted with this master key. Start with the original master key');
    this.name = 'MasterKeyMismatch';
  }
}
