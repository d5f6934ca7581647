import { compareKeys } from '../document-names.ts';
import { jsonIn } from '../document-text.ts';
import type { DocumentRef, Documents, PendingEntry, StoredDocument } from '../port.ts';
import { claimIn } from './claim-text.ts';
import { UNCONFIRMED } from './connection/replication.ts';
import { type RedisScript, readingScript, redisScript } from './connection/script.ts';
import { admissionFields, documentWriter } from './document-write.ts';
import { escapeName, pathOf, refOf, unescapeName } from './keys.ts';
import type { RedisState } from './redis-state.ts';

/** KEYS: ids, the scope's flag. ARGV: a document's key up to the escaped id. Returns id, version and JSON of each. */
const LIST = readingScript(`
if redis.call('EXISTS', KEYS[2]) == 1 then return '${UNCONFIRMED}' end
local found = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local document = redis.call('HMGET', ARGV[1] .. id, 'version', 'json')
  if document[1] then
    found[#found + 1] = id
    found[#found + 1] = document[1]
    found[#found + 1] = document[2]
  end
end
return found
`);

/** KEYS: outbox, worklist. ARGV: path, escaped entry ids. */
const CLEAR_PENDING = redisScript(`
local cleared = {}
for i = 2, #ARGV do cleared[ARGV[i]] = true end
for _, item in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if cleared[string.match(item, '^[^ ]+')] then redis.call('LREM', KEYS[1], 1, item) end
end
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('ZREM', KEYS[2], ARGV[1]) end
`);

/** Ids per command, which is one atomic step of the server. A small set is returned whole. */
const IDS_PER_COMMAND = 1_000;

/** KEYS: ids, the scope's flag. ARGV: cursor. Returns the next cursor, '0' at the end, and some ids. */
const IDS = readingScript(`
if redis.call('EXISTS', KEYS[2]) == 1 then return '${UNCONFIRMED}' end
return redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', ${IDS_PER_COMMAND})
`);

const entryOf = (path: string, item: string): PendingEntry =>
  JSON.parse(jsonIn(path, item.slice(item.indexOf(' ') + 1))) as PendingEntry;

/** Documents from a reply of `LIST` (id, version and JSON, alternating), in order of the ids. */
const documentsOf = <Value>(
  { scope, collection }: Omit<DocumentRef, 'id'>,
  found: readonly string[],
): StoredDocument<Value>[] =>
  Array.from({ length: found.length / 3 }, (_, row) => {
    const id = unescapeName(found[3 * row]!);
    const json = jsonIn(pathOf({ scope, collection, id }), found[3 * row + 2]!);
    return { id, version: Number(found[3 * row + 1]), value: JSON.parse(json) as Value };
  }).sort((left, right) => compareKeys(left.id, right.id));

/** KEYS: document, the scope's flag. ARGV: more fields. Returns version, JSON, seal and the values of those fields. */
const GET = readingScript(`
if redis.call('EXISTS', KEYS[2]) == 1 then return '${UNCONFIRMED}' end
return redis.call('HMGET', KEYS[1], 'version', 'json', 'seal', unpack(ARGV))
`);

/** Every second item of a list of alternating names and values. */
const everyOther = (list: readonly string[], first: 0 | 1): string[] =>
  list.filter((_, index) => index % 2 === first);

/** The seal covers only the JSON; admission reads fields derived from it. */
const isSealOfFields = (collection: string, value: unknown, fields: readonly (string | null)[]): boolean =>
  everyOther(admissionFields(collection, value), 1).every((field, index) => field === fields[index]);

/** KEYS: outbox, the scope's flag. */
const PENDING = readingScript(`
if redis.call('EXISTS', KEYS[2]) == 1 then return '${UNCONFIRMED}' end
return redis.call('LRANGE', KEYS[1], 0, -1)
`);

export function createRedisDocuments({ connection, writes, keys }: Omit<RedisState, 'now'>): Documents {
  /** Reads after everything in the scope is confirmed. */
  const read = (
    scope: string,
    script: RedisScript,
    key: string,
    ...args: readonly string[]
  ): Promise<unknown> => {
    const flag = keys.unconfirmed(scope);
    return writes.confirmed(flag, () => connection.run(script, [key, flag], args));
  };
  return {
    async get<Value>(ref: DocumentRef): Promise<StoredDocument<Value> | null> {
      const names = everyOther(admissionFields(ref.collection, {}), 0);
      const found = (await read(ref.scope, GET, keys.document(ref), ...names)) as (string | null)[];
      const [version, json, seal, ...fields] = found;
      if (!version || !json) return null;
      const value = JSON.parse(jsonIn(pathOf(ref), json)) as Value;
      const sealed = seal && isSealOfFields(ref.collection, value, fields) ? { seal } : {};
      return { id: ref.id, version: Number(version), value, ...sealed };
    },

    async list<Value>(scope: string, collection: string): Promise<StoredDocument<Value>[]> {
      const beforeId = keys.document({ scope, collection, id: '' });
      const found = await read(scope, LIST, keys.collection(scope, collection), beforeId);
      return documentsOf<Value>({ scope, collection }, found as string[]);
    },

    async ids(scope, collection) {
      // A scan may return an id twice; an id that exists throughout is always returned.
      const found = new Set<string>();
      let cursor = '0';
      do {
        const some = await read(scope, IDS, keys.collection(scope, collection), cursor);
        const [next, ids] = some as [string, string[]];
        for (const id of ids) found.add(unescapeName(id));
        cursor = next;
      } while (cursor !== '0');
      return [...found].sort(compareKeys);
    },

    write: documentWriter({ writes, keys }),

    async claimed<Value>(name: string): Promise<Value | null> {
      const json = (await connection.call('GET', keys.claim(name))) as string | null;
      return json === null ? null : (claimIn(name, json) as Value);
    },

    async pending(ref) {
      const items = (await read(ref.scope, PENDING, keys.outbox(ref))) as string[];
      return items.map((item) => entryOf(pathOf(ref), item));
    },

    // Does not wait for replicas: an entry that reappears after a fail-over is appended again, and the fold drops it.
    async clearPending(ref, entryIds) {
      if (entryIds.length === 0) return;
      await connection.run(
        CLEAR_PENDING,
        [keys.outbox(ref), keys.worklist],
        [pathOf(ref), ...entryIds.map(escapeName)],
      );
    },

    async withPending(limit) {
      if (limit < 1) return [];
      return ((await connection.call('ZRANGE', keys.worklist, 0, limit - 1)) as string[]).map(refOf);
    },
  };
}
