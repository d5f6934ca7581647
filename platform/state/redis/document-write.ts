import { checkNames } from '../document-names.ts';
import { textOf } from '../document-text.ts';
import {
  API_KEYS,
  CUSTOMERS,
  type CustomerAdmission,
  type DocumentRef,
  type Documents,
  type DocumentWrite,
  type KeyAdmission,
  type PendingEntry,
  SANDBOX_SLUGS,
  type SandboxHead,
  SESSIONS,
  type SessionAdmission,
} from '../port.ts';
import { sortedJson } from '../sorted-json.ts';
import { claimText } from './claim-text.ts';
import { FLAG } from './connection/replication.ts';
import { redisScript } from './connection/script.ts';
import { escapeName, pathOf } from './keys.ts';
import type { RedisState } from './redis-state.ts';

/**
 * KEYS: the scope's flag; for each write its document, its ids and, when it has outbox items, the outbox; when any has,
 * worklist and last position; then the claims. Unused keys are not named, so that users without permission on them can
 * still write. ARGV: number of writes; for each write the expected version or '', the JSON or '' to delete or '=' to
 * keep the version and the JSON, the escaped id, the path, the number of fields and the fields, the number of outbox
 * items and the items; then the JSON of each claim.
 */
const WRITE = redisScript(
  FLAG,
  `
local at = 0
local function take() at = at + 1 return ARGV[at] end
local keyAt, hasItems = 1, false
local function takeKey() keyAt = keyAt + 1 return KEYS[keyAt] end
local function takeList()
  local list = {}
  for i = 1, tonumber(take()) do list[i] = take() end
  return list
end
local writes, versions, answer = {}, {}, { '', 'written' }
local count = tonumber(take())
for i = 1, count do
  local doc = takeKey()
  local write = { doc = doc, ids = takeKey() }
  local expected = take()
  write.json = take()
  write.id = take()
  write.path = take()
  write.fields = takeList()
  write.items = takeList()
  if #write.items > 0 then
    hasItems = true
    write.outbox = takeKey()
  end
  local version = versions[doc] or tonumber(redis.call('HGET', doc, 'version') or 0)
  if expected ~= '' and tonumber(expected) ~= version then return { renewed(), 'conflict', i } end
  if write.json == '=' then
    answer[i + 2] = version
    if #write.fields > 0 and version > 0 then writes[#writes + 1] = write end
  else
    versions[doc] = write.json == '' and 0 or version + 1
    write.version = version + 1
    writes[#writes + 1] = write
    answer[i + 2] = write.version
  end
end
local worklist = hasItems and takeKey()
local lastPlace = hasItems and takeKey()
local claims, before = {}, keyAt
for i = 1, #KEYS - before do
  claims[i] = take()
  local held = redis.call('GET', takeKey())
  if held and held ~= claims[i] then return { renewed(), 'claimed', i } end
end
for i, json in ipairs(claims) do redis.call('SET', KEYS[before + i], json) end
for _, write in ipairs(writes) do
  local keeps = write.json == '='
  if not keeps then redis.call('DEL', write.doc) end
  if write.json == '' then
    redis.call('SREM', write.ids, write.id)
  else
    if not keeps then redis.call('HSET', write.doc, 'version', write.version, 'json', write.json) end
    for i = 1, #write.fields, 2 do redis.call('HSET', write.doc, write.fields[i], write.fields[i + 1]) end
    redis.call('SADD', write.ids, write.id)
  end
  if write.outbox and not redis.call('ZSCORE', worklist, write.path) then
    redis.call('ZADD', worklist, redis.call('INCR', lastPlace), write.path)
  end
  for _, item in ipairs(write.items) do redis.call('RPUSH', write.outbox, item) end
end
answer[1] = flagged()
return answer
`,
);

/** An outbox item is the escaped entry id, a space, and the entry with its checksum. */
const itemOf = (path: string, entry: PendingEntry): string =>
  `${escapeName(entry.entryId)} ${textOf(path, JSON.stringify(entry))}`;

const field = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The fields next to a document's JSON that the admission scripts read. */
export function admissionFields(collection: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (collection === CUSTOMERS) {
    const { ratePerSecond, burst, auditQuota, active } = value as CustomerAdmission;
    const admits = active && Number.isFinite(ratePerSecond) && Number.isFinite(burst);
    const numbers = { ratePerSecond, burst, auditQuota };
    return ['active', admits ? '1' : '0', ...Object.entries(numbers).flatMap(([k, v]) => [k, field(v)])];
  }
  if (collection === API_KEYS) return ['status', field((value as KeyAdmission).status)];
  if (collection === SESSIONS) {
    const { userId, openedAt } = value as SessionAdmission;
    return ['userId', field(userId), 'openedAt', field(openedAt)];
  }
  if (collection !== SANDBOX_SLUGS) return [];
  const { sandboxId, sandboxVersion, slug, active, deleted } = value as SandboxHead;
  const names = JSON.stringify({ sandboxId, sandboxSlug: slug }).slice(1, -1);
  const state = deleted ? 'deleted' : active ? 'active' : 'inactive';
  return ['state', state, 'names', names, 'sandboxVersion', field(sandboxVersion)];
}

const listOf = (values: readonly string[]): (string | number)[] => [values.length, ...values];

const storedOf = (path: string, { value, unchanged }: DocumentWrite): string => {
  if (unchanged === true) return '=';
  return value === null ? '' : textOf(path, JSON.stringify(value));
};

function fieldsOf({ collection }: DocumentRef, { value, seal, unchanged }: DocumentWrite): string[] {
  if (unchanged === true && seal === undefined) return [];
  return [...admissionFields(collection, value), ...(seal === undefined ? [] : ['seal', seal])];
}

function argumentsOf(ref: DocumentRef, write: DocumentWrite) {
  const { expectedVersion, entries = [] } = write;
  const path = pathOf(ref);
  return [
    expectedVersion ?? '',
    storedOf(path, write),
    escapeName(ref.id),
    path,
    ...listOf(fieldsOf(ref, write)),
    ...listOf(entries.map((entry) => itemOf(path, entry))),
  ];
}

/** Compare-and-set of documents with their outboxes and claims, as one script. */
export function documentWriter({ writes, keys }: Pick<RedisState, 'writes' | 'keys'>): Documents['write'] {
  const keysOf = (ref: DocumentRef, hasEntries: boolean): string[] => [
    keys.document(ref),
    keys.collection(ref.scope, ref.collection),
    ...(hasEntries ? [keys.outbox(ref)] : []),
  ];
  return async (scope, wanted, claims = []) => {
    for (const { collection, id } of wanted) checkNames([scope, collection, id]);
    const refs = wanted.map(({ collection, id }) => ({ scope, collection, id }));
    const hasEntries = wanted.map(({ entries = [] }) => entries.length > 0);
    const [outcome, ...numbers] = (await writes.run(
      keys.unconfirmed(scope),
      WRITE,
      [
        ...refs.flatMap((ref, index) => keysOf(ref, hasEntries[index]!)),
        ...(hasEntries.includes(true) ? [keys.worklist, keys.lastPosition] : []),
        ...claims.map(({ name }) => keys.claim(name)),
      ],
      [
        wanted.length,
        ...wanted.flatMap((one, index) => argumentsOf(refs[index]!, one)),
        ...claims.map(({ name, value }) => claimText(name, sortedJson(value))),
      ],
    )) as [string, ...number[]];
    const failed = (numbers[0] ?? 0) - 1;
    if (outcome === 'claimed') return { ok: false, claimed: claims[failed]!.name };
    if (outcome === 'written') return { ok: true, versions: numbers };
    const { collection, id } = wanted[failed]!;
    return { ok: false, conflict: { collection, id } };
  };
}
