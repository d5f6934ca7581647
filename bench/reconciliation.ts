/**
 * What the reconciliation costs the warehouse's engine per audit: `npm run build && node dist/bench/reconciliation.js`.
 * Flushes of 1,000 new audits into the audit list, alternating between the list alone, with the view that records
 * acceptances, and with a separate insert instead of the view. CPU time of the engine's process, merges included.
 * Prints one JSON line.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { packageRoot } from '#platform/config/package-root.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import { migrate } from '#platform/warehouse/client/migrations.ts';
import { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { columnNames } from '#schemas/tables/table.ts';
import { ACCEPTANCES, AUDITS, type AuditRow } from '#schemas/tables/tables.ts';
import { usageOf } from './load/process-usage.ts';

const ROWS = 1_000;
const FLUSHES_PER_ROUND = 100;
const ROUNDS = 4;
const MODES = ['list alone', 'with the view', 'with an insert of its own'] as const;
type Mode = (typeof MODES)[number];
const VIEW = `CREATE MATERIALIZED VIEW IF NOT EXISTS acceptances_of_audits TO acceptances
  AS SELECT customerId, acceptedAt, auditId FROM audits`;
const logger = { info() {}, warn() {}, error() {} };

const row = (number: number): AuditRow => ({
  customerId: `0190cccc-0000-7000-8000-0000000000${10 + (number % 24)}`,
  acceptedAt: new Date(Date.UTC(2026, 10, 1) + number).toISOString(),
  auditId: `0190aaaa-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
  rank: 1_000_000,
  version: String((1_000_000n << 40n) - BigInt(number)),
  sandboxId: '01930000-0000-7000-8000-00000000000b',
  sandboxSlug: 'support-chat',
  provider: 'openai',
  model: 'gpt-4o',
  source: 'INGEST',
  status: 'COMPLETED',
  generation: 0,
  attempts: 1,
  riskLevel: 'LOW',
  violations: ['EMAIL'],
  failureCode: null,
  completedAt: new Date(Date.UTC(2026, 10, 1) + number + 40).toISOString(),
  durationMs: 3.5,
  steps:
    '[{"name":"ACCEPTED","at":"2026-11-01T00:00:00.000Z"},{"name":"STORED","at":"2026-11-01T00:00:00.040Z"}]',
  erased: false,
  topic: 'audit.ledger',
  epoch: 1,
  partition: 3,
  offset: number,
});

async function flush(warehouse: Warehouse, mode: Mode, first: number): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, n) => row(first + n));
  const acceptances = rows.map(({ customerId, acceptedAt, auditId }) => ({
    customerId,
    acceptedAt,
    auditId,
  }));
  await Promise.all([
    warehouse.insert(AUDITS.name, columnNames(AUDITS), rows),
    mode === 'with an insert of its own'
      ? warehouse.insert(ACCEPTANCES.name, columnNames(ACCEPTANCES), acceptances)
      : undefined,
  ]);
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'reconciliation-bench-'));
const engine = await startEmbeddedWarehouse({ path: folder, logger });
const warehouse = openWarehouse({ ...engine, logger });
try {
  await migrate(warehouse, path.join(packageRoot(), 'schemas', 'tables', 'migrations'));
  let next = 0;
  const results: Record<Mode, { cpuUsPerAudit: number[]; msPerFlush: number[] }> = {
    'list alone': { cpuUsPerAudit: [], msPerFlush: [] },
    'with the view': { cpuUsPerAudit: [], msPerFlush: [] },
    'with an insert of its own': { cpuUsPerAudit: [], msPerFlush: [] },
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const mode of MODES) {
      await warehouse.command('DROP VIEW IF EXISTS acceptances_of_audits SYNC');
      if (mode === 'with the view') await warehouse.command(VIEW);
      for (const table of [AUDITS, ACCEPTANCES]) await warehouse.command(`TRUNCATE TABLE ${table.name}`);
      const [begun, cpu] = [performance.now(), usageOf(engine.pid() ?? 0).cpuSeconds];
      for (let n = 0; n < FLUSHES_PER_ROUND; n += 1, next += ROWS) await flush(warehouse, mode, next);
      const audits = ROWS * FLUSHES_PER_ROUND;
      results[mode].cpuUsPerAudit.push(((usageOf(engine.pid() ?? 0).cpuSeconds - cpu) * 1e6) / audits);
      results[mode].msPerFlush.push(Math.round((performance.now() - begun) / FLUSHES_PER_ROUND));
    }
  }
  process.stdout.write(`${JSON.stringify(results)}\n`);
} finally {
  await warehouse.close();
  await engine.stop();
  await rm(folder, { recursive: true });
}
