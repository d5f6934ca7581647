import type { ByteFormat, Warehouse } from '#platform/warehouse/port.ts';
import { exportBytes } from '#platform/warehouse/queries/export.ts';
import type { ExportFormat } from '#schemas/api/export.ts';
import { parquetFile } from './parquet.ts';
import type { ExportPlan } from './plan.ts';
import type { Tally } from './tally.ts';
import { csvFile, jsonFile, ndjsonFile } from './text-formats.ts';
import { xlsxFile } from './xlsx.ts';

/** One window, as the warehouse writes it. */
type WindowBytes = AsyncIterable<Buffer>;

/** The bytes of the file. `stop` ends the running statement. */
export function exportContent(
  warehouse: Warehouse,
  plan: ExportPlan,
  tally: Tally,
  stop: AbortSignal,
): AsyncIterable<Buffer> {
  return tally.over(FILES[plan.format](windowsOf(warehouse, plan, stop), tally, plan));
}

type Windows = (format: ByteFormat) => AsyncIterable<WindowBytes>;

type FileOf = (windows: Windows, tally: Tally, plan: Pick<ExportPlan, 'bom'>) => AsyncIterable<Buffer>;

const FILES: Readonly<Record<ExportFormat, FileOf>> = {
  csv: (windows, tally, { bom }) => csvFile(joined(windows('CSV')), tally, bom),
  json: (windows, tally) => jsonFile(joined(windows('JSONEachRow')), tally),
  ndjson: (windows, tally) => ndjsonFile(joined(windows('JSONEachRow')), tally),
  xlsx: (windows, tally) => xlsxFile(joined(windows('JSONCompactEachRow')), tally),
  parquet: (windows, tally) => parquetFile(windows('Parquet'), tally),
};

const windowsOf = (warehouse: Warehouse, { selection, windows }: ExportPlan, stop: AbortSignal): Windows =>
  async function* (format) {
    for (const window of windows) yield exportBytes(warehouse, selection, window, format, stop);
  };

async function* joined(windows: AsyncIterable<WindowBytes>): AsyncGenerator<Buffer> {
  for await (const bytes of windows) yield* bytes;
}
