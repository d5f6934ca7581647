import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import {
  type DocumentRef,
  type DocumentWrite,
  META,
  type State,
  type StoredDocument,
} from '#platform/state/port.ts';
import { sortedJson } from '#platform/state/sorted-json.ts';

/** Keyed digests of whole documents: a document that was changed by another program has no valid digest. */
export interface DocumentSeals {
  /** `version`: of the written document; null: any, for a write that expects none. */
  seal(ref: DocumentRef, version: number | null, value: unknown): string;
  /** Whether a stored document is what the service wrote as this version. */
  isIntact(ref: DocumentRef, stored: StoredDocument): boolean;
}

const PURPOSE = 'cas/document-seal/v1';
const KEY_BYTES = 32;

/** Uses a key derived from the master key. */
export function documentSeals(masterKey: Buffer): DocumentSeals {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', PURPOSE, KEY_BYTES));
  // A list, so that no two documents have the same text.
  const seal = ({ scope, collection, id }: DocumentRef, version: number | null, value: unknown): string =>
    createHmac('sha256', key)
      .update(sortedJson([scope, collection, id, version, value]))
      .digest('base64url');
  return {
    seal,
    isIntact: (ref, { version, value, seal: stored }) =>
      stored !== undefined &&
      (isSame(stored, seal(ref, version, value)) || isSame(stored, seal(ref, null, value))),
  };
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Written without the master key: the epoch of the log and the mark of that key, which are checked separately. */
const UNSEALED: readonly string[] = [META];

/** The same state, but every document written gets a seal. */
export function sealedState<Of extends State>(state: Of, seals: DocumentSeals): Of {
  const { documents } = state;
  const sealed = (scope: string, write: DocumentWrite): DocumentWrite => {
    const { collection, id, expectedVersion, value, unchanged } = write;
    if (unchanged === true || value === null || UNSEALED.includes(collection)) return write;
    const version = expectedVersion === undefined ? null : expectedVersion + 1;
    return { ...write, seal: seals.seal({ scope, collection, id }, version, value) };
  };
  const write: typeof documents.write = (scope, writes, claims) =>
    documents.write(
      scope,
      writes.map((one) => sealed(scope, one)),
      claims,
    );
  const over = new Proxy(documents, {
    get: (target, name) => (name === 'write' ? write : Reflect.get(target, name)),
  });
  return new Proxy(state, {
    get: (target, name) => (name === 'documents' ? over : Reflect.get(target, name)),
  });
}
