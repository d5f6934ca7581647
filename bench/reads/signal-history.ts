import { CHAIN_START, chainHash } from '#core/evidence/hashing.ts';
import { partitionOf } from '#platform/event-log/murmur2.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { AuditRow, LedgerRow, SignalRow } from '#schemas/tables/tables.ts';
import { LEDGER, TRIPLETS } from '#schemas/topics.ts';
import { RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { growTree } from '#services/sink/trees/grow-tree.ts';

/** A customer with generated audits, and its sandboxes: the first one is used most. */
export interface HistoryOwner {
  readonly customerId: string;
  readonly sandboxes: readonly { readonly id: string; readonly slug: string }[];
}

interface History {
  readonly owner: HistoryOwner;
  readonly audits: number;
  /** Unix ms at a UTC midnight; the audits are spread over `days` from there. */
  readonly from: number;
  readonly days: number;
}

const DAY_MS = 86_400_000;
/** Maximum number of inserts of a history; the engine merges their parts in the background, as in a running service. */
const INSERTS = 600;
/** Minimum number of rows per insert: what a flush of the sink stores. */
const FLUSH_ROWS = 2_000;
/** The newest audits are stored in small inserts, acceptances separate from outcomes. */
const NEWEST_INSERTS = 10;

const quoted = (texts: readonly string[]): string => `[${texts.map((text) => `'${text}'`).join(', ')}]`;
const hex = (salt: string): string => `lower(hex(SHA256(concat(auditId, '${salt}'))))`;
/** Made up, so the ledger of a history does not verify; chain and tree are computed over these leaves. */
const LEAF = hex('leaf');
/**
 * Chain hashes of the entries of one insert. Each depends on the previous one, so a single statement cannot compute
 * them.
 */
const LINKS = 'bench_links';
const link = (column: 'previousHash' | 'hash'): string => `joinGet('${LINKS}', '${column}', indexInLedger)`;

/**
 * One row per audit: time (mostly office hours), id, and random numbers that determine its columns. One in 1,000 failed
 * and has no ledger entry, one in 3,000 is anonymized; seven of ten signals are LOW without a violation; a few codes,
 * sandboxes and providers make up most of the others. `nextIndex`: the next index of the ledger.
 */
function drawn({ owner, audits, from, days }: History, nextIndex: number): string {
  const { customerId, sandboxes } = owner;
  const perDay = audits / days;
  return `
    SELECT number AS place, sipHash64(1, place) AS draw,
      place / ${perDay} - floor(place / ${perDay}) AS share,
      multiIf(share < 0.1, share * 3.33, share < 0.85, 0.333 + (share - 0.1) * 0.556, 0.75 + (share - 0.85) * 1.66) AS ofDay,
      ${from} + toUInt64(floor(place / ${perDay})) * ${DAY_MS} + toUInt64(ofDay * ${DAY_MS}) AS acceptedMs,
      acceptedMs + 300 + draw % 4000 AS createdMs,
      leftPad(lower(hex(acceptedMs)), 16, '0') AS stamp, leftPad(lower(hex(draw)), 16, '0') AS noise,
      concat(substring(stamp, 5, 8), '-', substring(stamp, 13, 4), '-7', substring(noise, 1, 3), '-8',
        substring(noise, 4, 3), '-', substring(noise, 5, 12)) AS auditId,
      '${customerId}' AS customerId, ${quoted(sandboxes.map(({ id }) => id))} AS sandboxIds,
      ${quoted(sandboxes.map(({ slug }) => slug))} AS slugs,
      toUInt8(floor(length(slugs) * pow((draw % 1009) / 1009, 2))) + 1 AS sandbox,
      ${partitionOf(customerId, LEDGER.partitions)} AS partitionOfOwner,
      place % 1000 = 5 AS hasFailed, toUInt64(${nextIndex} + place - intDiv(place + 994, 1000)) AS indexInLedger,
      draw % 3000 = 7 AS isAnonymized,
      multiIf(draw % 100 < 70, 1, draw % 100 < 90, 2, draw % 100 < 98, 3, 4) AS risk,
      ${quoted(RISK_LEVELS)}[risk] AS level, ${quoted(VIOLATION_CODES)} AS codes,
      codes[toUInt8(floor(length(codes) * pow((intDiv(draw, 1009) % 997) / 997, 2))) + 1] AS code,
      codes[toUInt8(floor(length(codes) * pow((intDiv(draw, 1013) % 991) / 991, 2))) + 1] AS otherCode,
      multiIf(risk = 1, [], draw % 3 = 0, arrayDistinct([code, otherCode]), [code]) AS found,
      multiIf(draw % 10 < 6, 'openai', draw % 10 < 9, 'anthropic', 'gemini') AS provider,
      concat('model-', toString(intDiv(draw, 17) % 6)) AS model
    FROM numbers({first:UInt64}, {count:UInt64})`;
}

const time = (ms: string): string => `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`;

/**
 * Uses an epoch before the log's first one: all its entries count as folded, and the sink's positions, which are
 * compared with the log, do not cover it.
 */
const IN_LEDGER = { epoch: '0', partition: 'partitionOfOwner', offset: 'place * 3' };

/** Version 1; columns of later versions keep their defaults. */
const SIGNAL: Readonly<Partial<Record<keyof SignalRow, string>>> = {
  customerId: 'customerId',
  createdAt: time('createdMs'),
  auditId: 'auditId',
  revision: 'if(isAnonymized, 1000000000, 0)',
  erased: "if(isAnonymized, 'DETAIL', '')",
  v: '1',
  sandboxId: 'sandboxIds[sandbox]',
  sandboxSlug: 'slugs[sandbox]',
  provider: 'provider',
  model: 'model',
  region: "'EU'",
  riskLevel: 'level',
  violations: 'found',
  regulation: "if(risk = 1, [], ['GDPR'])",
  piiDetected: 'risk != 1',
  confidence: '(draw % 1000) / 1000',
  alert: 'risk > 2',
  policyVersion: "'3.1.0.0'",
  source: "'INGEST'",
  attempts: '1',
  promptTokens: 'draw % 4000',
  outputTokens: 'draw % 900',
  hasThinkingBlock: 'draw % 5 = 0',
  durationMs: '(draw % 5000) / 3',
  acceptedAt: time('acceptedMs'),
  coreSalt: hex('core'),
  reasoning: `if(isAnonymized, NULL, concat('The response shows an e-mail address (a', repeat('*', draw % 12),
    '@example.org) and a telephone number (', repeat('*', 7), toString(draw % 10000), '). Reported: ', toString(found), '.'))`,
  detections: `if(isAnonymized OR risk = 1, '[]', concat('[{"code":"', code, '","count":', toString(draw % 4 + 1),
    ',"detector":"', lower(code), '","version":1}]'))`,
  payloadDigest: `if(isAnonymized, NULL, ${hex('payload')})`,
  detailSalt: `if(isAnonymized, '', ${hex('detail')})`,
  index: 'indexInLedger',
  previousHash: link('previousHash'),
  hash: link('hash'),
  ...IN_LEDGER,
};

const ENTRY: Readonly<Record<keyof LedgerRow, string>> = {
  customerId: 'customerId',
  index: 'indexInLedger',
  entryId: "concat('SIGNAL:', auditId)",
  kind: "'SIGNAL'",
  id: 'auditId',
  v: '1',
  at: time('createdMs'),
  dataHash: hex('data'),
  coreHash: hex('coreHash'),
  detailHash: hex('detailHash'),
  leafHash: LEAF,
  previousHash: link('previousHash'),
  hash: link('hash'),
  ...IN_LEDGER,
};

const audit = (isFinal: boolean): Readonly<Record<keyof AuditRow, string>> => {
  const final = (sql: string, before: string): string => (isFinal ? sql : before);
  const rank = final('if(hasFailed, 4, 1000000)', '1');
  const stored = (sql: string): string => final(`if(hasFailed, NULL, ${sql})`, 'NULL');
  return {
    customerId: 'customerId',
    acceptedAt: time('acceptedMs'),
    auditId: 'auditId',
    rank,
    version: `bitShiftLeft(toUInt64(${rank}), 40) + 1099511627775 - place`,
    sandboxId: 'sandboxIds[sandbox]',
    sandboxSlug: 'slugs[sandbox]',
    provider: 'provider',
    model: 'model',
    source: "'INGEST'",
    status: final("if(hasFailed, 'FAILED', 'COMPLETED')", "'QUEUED'"),
    generation: '0',
    attempts: final('if(hasFailed, 3, 1)', '0'),
    riskLevel: stored('level'),
    violations: final('if(hasFailed, [], found)', '[]'),
    failureCode: final("if(hasFailed, 'ANALYSIS_FAILED', NULL)", 'NULL'),
    completedAt: final(time('createdMs'), 'NULL'),
    durationMs: stored('(draw % 5000) / 3'),
    steps: `concat('[{"name":"ACCEPTED","at":"', formatDateTime(${time('acceptedMs')}, '%FT%T.000Z'), '"}',
      ${final(`concat(',{"name":"STORED","at":"', formatDateTime(${time('createdMs')}, '%FT%T.000Z'), '"}')`, "''")}, ']')`,
    erased: 'false',
    topic: `'${isFinal ? LEDGER.name : TRIPLETS.name}'`,
    ...IN_LEDGER,
  };
};

/**
 * Inserts the result of a statement, each column with its own expression. Columns are named on both sides, so their
 * order in the table does not matter.
 */
function insertion(table: string, columns: Readonly<Record<string, string>>, source: string): string {
  const names = Object.keys(columns).map((name) => `\`${name}\``);
  const values = Object.values(columns).map((sql, index) => `${sql} AS column${index}`);
  return `INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM (${source})`;
}

/** Stores the history as a sink would have stored it over that time. */
export async function storeHistory(warehouse: Warehouse, history: History): Promise<void> {
  const { owner, audits: total } = history;
  const tip = await tipOf(warehouse, owner.customerId);
  const source = drawn(history, tip.next);
  const completed = `${source} WHERE NOT hasFailed`;
  const older = [
    insertion('signals', SIGNAL, completed),
    insertion('ledger', ENTRY, completed),
    insertion('audits', audit(true), source),
  ];
  const newest = [insertion('audits', audit(false), source), ...older];
  await warehouse.command(
    `CREATE TABLE ${LINKS} (\`index\` UInt64, previousHash String, hash String) ENGINE = Join(ANY, LEFT, \`index\`)`,
  );
  const store = async (first: number, count: number, statements: readonly string[]): Promise<void> => {
    await storeLinks(warehouse, completed, { first, count }, tip);
    for (const statement of statements) await warehouse.command(statement, { first, count });
  };
  const split = Math.max(0, total - NEWEST_INSERTS * FLUSH_ROWS);
  const rows = Math.max(FLUSH_ROWS, Math.ceil(split / INSERTS));
  for (let first = 0; first < split; first += rows) await store(first, Math.min(rows, split - first), older);
  for (let first = split; first < total; first += FLUSH_ROWS)
    await store(first, Math.min(FLUSH_ROWS, total - first), newest);
  await warehouse.command(`DROP TABLE ${LINKS}`);
  await growTree(warehouse, owner.customerId, tip.next);
}

/** The end of a ledger. */
interface Tip {
  next: number;
  hash: Buffer;
}

/** The service may already have stored its own entries. */
async function tipOf(warehouse: Warehouse, customerId: string): Promise<Tip> {
  const [last] = await warehouse.query<{ index: number; hash: string }>(
    `SELECT \`index\`, hash FROM ledger WHERE customerId = {customerId:String}
     ORDER BY customerId DESC, \`index\` DESC LIMIT 1`,
    { customerId },
  );
  return last === undefined
    ? { next: 0, hash: CHAIN_START }
    : { next: last.index + 1, hash: Buffer.from(last.hash, 'hex') };
}

/** Replaces the stored links with those of the next insert and advances `tip`. */
async function storeLinks(
  warehouse: Warehouse,
  completed: string,
  range: { readonly first: number; readonly count: number },
  tip: Tip,
): Promise<void> {
  const leaves = await warehouse.query<{ index: number; leafHash: string }>(
    `SELECT indexInLedger AS \`index\`, ${LEAF} AS leafHash FROM (${completed}) ORDER BY \`index\``,
    { ...range },
  );
  const links = leaves.map(({ index, leafHash }) => {
    const previousHash = tip.hash.toString('hex');
    tip.hash = chainHash(tip.hash, Buffer.from(leafHash, 'hex'));
    tip.next = index + 1;
    return { index, previousHash, hash: tip.hash.toString('hex') };
  });
  await warehouse.command(`TRUNCATE TABLE ${LINKS}`);
  await warehouse.insert(LINKS, ['index', 'previousHash', 'hash'], links);
}

/** Merges the parts of every month except the newest, as the engine does by itself an hour after the last insert. */
export async function mergeOldMonths(warehouse: Warehouse): Promise<void> {
  const months = await warehouse.query<{ table: string; month: string }>(
    `SELECT table, partition_id AS month FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN ('signals', 'audits')
       AND partition_id < (SELECT max(partition_id) FROM system.parts WHERE active AND table = 'signals')
     GROUP BY table, month HAVING count() > 1 ORDER BY table, month`,
  );
  for (const { table, month } of months)
    await warehouse.command(`OPTIMIZE TABLE ${table} PARTITION ID '${month}' FINAL`);
}

/** Active parts and rows of the tables, for the report. */
export function partsOf(
  warehouse: Warehouse,
): Promise<{ table: string; parts: number; rows: number; mib: number }[]> {
  return warehouse.query(
    `SELECT table, count() AS parts, sum(rows) AS rows, round(sum(bytes_on_disk) / 1048576) AS mib
     FROM system.parts
     WHERE active AND database = currentDatabase() AND table IN ('signals', 'audits', 'ledger', 'acceptances')
     GROUP BY table ORDER BY table`,
  );
}
