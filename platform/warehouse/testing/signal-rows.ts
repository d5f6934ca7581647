import type { Warehouse } from '#platform/warehouse/port.ts';
import type { SignalRow } from '#schemas/tables/tables.ts';

/** Signals `first` to `first + rows` (exclusive) of a customer, spread over a month, oldest first. */
interface SignalRange {
  readonly first: number;
  readonly rows: number;
}

const NUMBERS = 'numbers({first:UInt64}, {rows:UInt64})';
const AT = "toDateTime64('2026-10-01 00:00:00.000', 3, 'UTC') + toIntervalMillisecond(number * 2678)";
const ID = "concat('01930000-0000-7000-8000-', leftPad(toString(number), 12, '0'))";
const HASH = 'lower(hex(SHA256(toString(number))))';

/** Version 1, with texts as long as real ones; columns of later versions have their defaults. */
const SIGNAL: Readonly<Partial<Record<keyof SignalRow, string>>> = {
  customerId: '{customerId:String}',
  createdAt: AT,
  auditId: ID,
  revision: '0',
  erased: "''",
  v: '1',
  sandboxId: "'01930000-0000-7000-8000-00000000000b'",
  sandboxSlug: "'support-chat'",
  provider: "['openai', 'anthropic', 'gemini'][number % 3 + 1]",
  model: "'a-model'",
  region: "'EU'",
  riskLevel: "['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'][number % 4 + 1]",
  violations: "['EMAIL', 'SSN']",
  regulation: "['GDPR', 'CCPA']",
  piiDetected: 'true',
  confidence: '0.5 + (number % 100) / 1000',
  alert: 'number % 4 > 1',
  policyVersion: "'3.2026.11'",
  source: "'INGEST'",
  attempts: '1',
  promptTokens: 'number % 5000',
  outputTokens: 'number % 700',
  hasThinkingBlock: 'false',
  durationMs: '(number % 100000) / 997',
  acceptedAt: AT,
  coreSalt: "repeat('a', 64)",
  reasoning: `concat('Detected in the prompt: EMAIL j***@example.com, SSN ***-**-', toString(number % 10000),
    '. Risk is HIGH because of SSN. Relevant regulations: GDPR, CCPA. ', repeat('More follows here. ', 8))`,
  detections: `'[{"code":"EMAIL","detector":"email","version":1,"count":2}]'`,
  payloadDigest: HASH,
  detailSalt: "repeat('b', 64)",
  index: 'number',
  previousHash: HASH,
  hash: HASH,
  epoch: '1',
  partition: '3',
  offset: 'number',
};

const names = Object.keys(SIGNAL).map((name) => `\`${name}\``);
/** Renamed, because an expression may not have the name of a column that another one reads. */
const expressions = Object.values(SIGNAL).map((sql, at) => `${sql} AS column${at}`);

/** Generates the rows in the engine itself. */
export const insertSignals = (warehouse: Warehouse, customerId: string, range: SignalRange): Promise<void> =>
  warehouse.command(
    `INSERT INTO signals (${names.join(', ')}) SELECT ${expressions.join(', ')} FROM ${NUMBERS}`,
    { customerId, ...range },
  );

/** Inserts the signals' ledger entries. */
export const insertLedger = (warehouse: Warehouse, customerId: string, range: SignalRange): Promise<void> =>
  warehouse.command(
    `INSERT INTO ledger SELECT {customerId:String} AS customerId, number AS \`index\`, concat('SIGNAL:', id) AS entryId,
      'SIGNAL' AS kind, ${ID} AS id, 1 AS v, ${AT} AS at, ${HASH} AS dataHash, ${HASH} AS coreHash,
      ${HASH} AS detailHash, ${HASH} AS leafHash, ${HASH} AS previousHash, ${HASH} AS hash,
      1 AS epoch, 3 AS \`partition\`, number AS \`offset\`
    FROM ${NUMBERS}`,
    { customerId, ...range },
  );
