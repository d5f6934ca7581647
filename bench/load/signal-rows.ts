import type { Warehouse } from '../../platform/warehouse/port.ts';

/** Signals `first` up to `first + rows` of a customer: a month of them, oldest first. */
export interface SignalRange {
  readonly first: number;
  readonly rows: number;
}

const NUMBERS = 'numbers({first:UInt64}, {rows:UInt64})';
const AT = "toDateTime64('2026-10-01 00:00:00.000', 3, 'UTC') + toIntervalMillisecond(number * 2678)";
const ID = "concat('01930000-0000-7000-8000-', leftPad(toString(number), 12, '0'))";
const HASH = 'lower(hex(SHA256(toString(number))))';

/** Makes rows in the engine itself, with texts as long as those of real signals. */
export const insertSignals = (warehouse: Warehouse, customerId: string, range: SignalRange): Promise<void> =>
  warehouse.command(
    `INSERT INTO signals SELECT
      {customerId:String} AS customerId, ${AT} AS createdAt, ${ID} AS auditId, 0 AS revision, '' AS erased, 1 AS v,
      '01930000-0000-7000-8000-00000000000b' AS sandboxId, 'support-chat' AS sandboxSlug,
      ['openai', 'anthropic', 'gemini'][number % 3 + 1] AS provider, 'a-model' AS model, 'EU' AS region,
      ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'][number % 4 + 1] AS riskLevel,
      ['EMAIL', 'SSN'] AS violations, ['GDPR', 'CCPA'] AS regulation, true AS piiDetected,
      0.5 + (number % 100) / 1000 AS confidence, number % 4 > 1 AS alert, '3.2026.11' AS policyVersion,
      'INGEST' AS source, 1 AS attempts, number % 5000 AS promptTokens, number % 700 AS outputTokens,
      false AS hasThinkingBlock, (number % 100000) / 997 AS durationMs, createdAt AS acceptedAt,
      repeat('a', 64) AS coreSalt,
      concat('Found in the prompt: EMAIL j***@example.com, SSN ***-**-', toString(number % 10000),
        '. Risk is HIGH: "SSN" decides, on its own. It concerns GDPR and CCPA. ', repeat('More follows here. ', 8)) AS reasoning,
      '[{"code":"EMAIL","detector":"email","version":1,"count":2}]' AS detections, ${HASH} AS payloadDigest,
      repeat('b', 64) AS detailSalt, number AS \`index\`, ${HASH} AS previousHash, ${HASH} AS hash,
      1 AS epoch, 3 AS \`partition\`, number AS \`offset\`
    FROM ${NUMBERS}`,
    { customerId, ...range },
  );

/** The entries that the signals have in the ledger. */
export const insertLedger = (warehouse: Warehouse, customerId: string, range: SignalRange): Promise<void> =>
  warehouse.command(
    `INSERT INTO ledger SELECT {customerId:String} AS customerId, number AS \`index\`, concat('SIGNAL:', id) AS entryId,
      'SIGNAL' AS kind, ${ID} AS id, 1 AS v, ${AT} AS at, ${HASH} AS dataHash, ${HASH} AS coreHash,
      ${HASH} AS detailHash, ${HASH} AS leafHash, ${HASH} AS previousHash, ${HASH} AS hash,
      1 AS epoch, 3 AS \`partition\`, number AS \`offset\`
    FROM ${NUMBERS}`,
    { customerId, ...range },
  );
