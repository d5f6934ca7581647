import type { DocumentRef } from '../port.ts';

/** Default prefix of every key. */
export const KEY_PREFIX = 'cas:';

/**
 * Every key of the state in Redis. Keys of one scope have the hash tag `{scope}`; claims, the sweeper's work list and
 * small expiring values belong to no scope. Some names come from requests, so structural characters in them are
 * escaped: no name can forge a hash tag, a separator or another key.
 */
export interface RedisKeys {
  /** Hash: version, JSON, and the fields that the admission scripts read. */
  document(ref: DocumentRef): string;
  /** Set: escaped ids of a collection. */
  collection(scope: string, collection: string): string;
  /** List: pending entries of a document. */
  outbox(ref: DocumentRef): string;
  /** Sorted set: `pathOf` of each document with pending entries, by position. */
  readonly worklist: string;
  /** Counter: the last position assigned. */
  readonly lastPosition: string;
  /** String: identifies the scope's last write that no replica has confirmed yet; absent when all are confirmed. */
  unconfirmed(scope: string): string;
  /** String: JSON. */
  claim(name: string): string;
  /** Hash: token bucket of a customer. */
  bucket(customerId: string): string;
  /** Hash: token bucket that does not depend on a customer's plan. */
  namedBucket(name: string): string;
  /** Hash: token bucket of a session. */
  sessionBucket(customerId: string, sessionId: string): string;
  /** Hash: key id -> last use. */
  lastUsed(customerId: string): string;
  /** Hash: UTC month -> accepted ingests. */
  counts(customerId: string): string;
  /** Hash: counts of a customer's admitted audits. */
  admitted(customerId: string): string;
  /** String: expiry and JSON of a pending mark. */
  mark(customerId: string, auditId: string): string;
  /** Hash: period -> pending marks set in it and not yet removed. */
  markCounts(customerId: string): string;
  /** String: the attempts under an idempotency key, packed. */
  attempts(scope: string, key: string): string;
  /** Hash: period -> bytes stored in it. */
  remembered(scope: string): string;
  /** String: expiry and value. */
  expiring(key: string): string;
  /** String: like `unconfirmed`, for one claimed expiring value. */
  unconfirmedValue(key: string): string;
}

/** Separators, braces of the hash tag, the escape character, control characters and lone surrogates. */
const STRUCTURAL = /[ :{}%\p{Cc}\p{Cs}]/gu;

/** Matches most names: ids, slugs and names of collections. */
const PLAIN = /^[A-Za-z0-9_.-]*$/;

/** An ingest needs fourteen keys, and matching the general pattern takes most of their time. */
export const escapeName = (name: string): string => (PLAIN.test(name) ? name : escaped(name));

const escaped = (name: string): string =>
  name.replace(STRUCTURAL, (character) => `%${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const unescapeName = (name: string): string =>
  name.replace(/%([0-9a-f]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function tagged(scope: string, ...names: readonly string[]): string {
  let path = `{${escapeName(scope)}}`;
  for (const name of names) path += `:${escapeName(name)}`;
  return path;
}

/** A document's path across all scopes, as used in its keys and in the work list. */
export const pathOf = ({ scope, collection, id }: DocumentRef): string => tagged(scope, collection, id);

export function refOf(path: string): DocumentRef {
  const [scope = '', collection = '', id = ''] = path.split(':').map(unescapeName);
  return { scope: scope.slice(1, -1), collection, id };
}

export function redisKeys(prefix: string): RedisKeys {
  return {
    document: (ref) => `${prefix}doc:${pathOf(ref)}`,
    collection: (scope, collection) => `${prefix}ids:${tagged(scope, collection)}`,
    outbox: (ref) => `${prefix}outbox:${pathOf(ref)}`,
    worklist: `${prefix}worklist`,
    lastPosition: `${prefix}worklist-place`,
    unconfirmed: (scope) => `${prefix}unconfirmed:${tagged(scope)}`,
    claim: (name) => `${prefix}claim:${escapeName(name)}`,
    bucket: (customerId) => `${prefix}bucket:${tagged(customerId)}`,
    namedBucket: (name) => `${prefix}named-bucket:${escapeName(name)}`,
    sessionBucket: (customerId, sessionId) => `${prefix}session-bucket:${tagged(customerId, sessionId)}`,
    lastUsed: (customerId) => `${prefix}last-used:${tagged(customerId)}`,
    counts: (customerId) => `${prefix}counts:${tagged(customerId)}`,
    admitted: (customerId) => `${prefix}admitted:${tagged(customerId)}`,
    mark: (customerId, auditId) => `${prefix}mark:${tagged(customerId, auditId)}`,
    markCounts: (customerId) => `${prefix}count-of-marks:${tagged(customerId)}`,
    attempts: (scope, key) => `${prefix}attempts:${tagged(scope, key)}`,
    remembered: (scope) => `${prefix}remembered:${tagged(scope)}`,
    expiring: (key) => `${prefix}expiring:${escapeName(key)}`,
    unconfirmedValue: (key) => `${prefix}unconfirmed-value:${escapeName(key)}`,
  };
}
