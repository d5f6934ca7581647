import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { Refusal } from '#platform/flow/refusal.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import { foldedSandboxVersions } from '#platform/warehouse/queries/sandbox-versions.ts';
import { keptFrom } from '#records/documents/sandbox-marks.ts';
import {
  SANDBOX_VERSIONS,
  type SandboxRecord,
  type SandboxSettings,
  sandboxVersionId,
} from '#records/documents/sandbox-record.ts';
import { shownDetection } from '#records/sandboxes/detection-fields.ts';
import { policyEventId } from '#records/sandboxes/sandbox-writes.ts';
import type { PageRequest, Pagination } from '#schemas/api/fields/paging.ts';
import { CHANGEABLE, type SandboxVersion, type WholeSandboxVersion } from '#schemas/api/sandboxes.ts';
import type { RecordDependencies } from '../operations/dependencies.ts';
import { pageOf, pageStart } from '../operations/paging.ts';
import { idOrNothing, shownSandbox } from './sandboxes.ts';

export type VersionDependencies = Pick<RecordDependencies, 'state' | 'directory'> & {
  readonly warehouse: Warehouse;
};

/** Number of a version; the list is sorted by it, newest first. */
const versionKey = z.tuple([z.int().positive()]);
/** Ranges of numbers read for a page: after a restore of the state some numbers have no version. */
const STRETCHES = 10;
const VERSION = /^[1-9]\d{0,8}$/;

export async function listSandboxVersions(
  dependencies: VersionDependencies,
  customerId: string,
  idOrSlug: string,
  request: PageRequest,
): Promise<{ data: SandboxVersion[]; pagination: Pagination }> {
  const { id, version: newest } = await knownSandbox(dependencies, customerId, idOrSlug);
  const start = pageStart(request, versionKey);
  const from = start.after === null ? newest - start.offset : Math.min(start.after[0] - 1, newest);
  // One extra row shows that there is another page, and one more what the last shown version changed.
  const found = await versionsDown(dependencies, customerId, { id, from, count: start.limit + 2 });
  const rows = found.slice(0, start.limit + 1);
  const page = pageOf(rows, newest, start, ({ version }) => [version] as [number]);
  return {
    data: page.rows.map((row, n) => listedVersion(row, found[n + 1])),
    pagination: page.pagination,
  };
}

export async function readSandboxVersion(
  dependencies: VersionDependencies,
  customerId: string,
  idOrSlug: string,
  version: string,
): Promise<WholeSandboxVersion> {
  if (!VERSION.test(version)) throw new Refusal('NOT_FOUND');
  const { id, version: newest } = await knownSandbox(dependencies, customerId, idOrSlug);
  const from = Number(version);
  if (from > newest) throw new Refusal('NOT_FOUND');
  const [record, before] = await versionsDown(dependencies, customerId, { id, from, count: 2 });
  if (record === undefined || record.version !== from) throw new Refusal('NOT_FOUND');
  return { ...listedVersion(record, before), sandbox: shownSandbox(record) };
}

/** Includes deleted ones: their signals name their versions. */
async function knownSandbox(
  { directory }: VersionDependencies,
  customerId: string,
  idOrSlug: string,
): Promise<SandboxRecord> {
  const record = await directory.getSandbox(customerId, idOrNothing(idOrSlug), true);
  if (record === null) throw new Refusal('NOT_FOUND');
  return record;
}

/** Up to `count` versions, from a number downwards. */
async function versionsDown(
  dependencies: VersionDependencies,
  customerId: string,
  { id, from, count }: { readonly id: string; readonly from: number; readonly count: number },
): Promise<SandboxRecord[]> {
  const kept = await keptFrom(dependencies.state.documents, customerId, id);
  const found: SandboxRecord[] = [];
  let next = from;
  for (let stretch = 0; stretch < STRETCHES && next >= 1 && found.length < count; stretch += 1) {
    const numbers = Array.from({ length: Math.min(count, next) }, (_, n) => next - n);
    found.push(...(await versionsOf(dependencies, customerId, { id, numbers, kept })));
    next -= numbers.length;
  }
  return found.slice(0, count);
}

/** Those of these versions that exist: from the state or, if archived, from the ledger. */
async function versionsOf(
  { state, warehouse }: VersionDependencies,
  customerId: string,
  { id, numbers, kept }: { readonly id: string; readonly numbers: readonly number[]; readonly kept: number },
): Promise<SandboxRecord[]> {
  const held = await Promise.all(
    numbers
      .filter((version) => version >= kept)
      .map((version) =>
        state.documents.get<SandboxRecord>({
          scope: customerId,
          collection: SANDBOX_VERSIONS,
          id: sandboxVersionId(id, version),
        }),
      ),
  );
  const byVersion = new Map(held.flatMap((one) => (one === null ? [] : [[one.value.version, one.value]])));
  // Some may have been archived since the mark was read.
  const missing = numbers.filter((version) => !byVersion.has(version));
  if (missing.length > 0) {
    const ids = missing.map((version) => policyEventId({ id, version }));
    for (const { at, core, detail } of await foldedSandboxVersions(warehouse, customerId, ids)) {
      const record = recordOf(id, at, JSON.parse(core), JSON.parse(detail));
      byVersion.set(record.version, record);
    }
  }
  return numbers.flatMap((version) => byVersion.get(version) ?? []);
}

type FoldedDetail = Pick<SandboxSettings, 'name' | 'customRules' | 'detection'>;
type FoldedCore = Omit<SandboxRecord, keyof FoldedDetail | 'id' | 'updatedAt'>;

function recordOf(
  id: string,
  updatedAt: string,
  core: FoldedCore & { readonly type: string; readonly sandboxId: string },
  detail: FoldedDetail,
): SandboxRecord {
  const { type: _type, sandboxId: _sandboxId, ...settings } = core;
  return { ...settings, ...detail, id, updatedAt };
}

const fieldsOf = (record: SandboxRecord) => ({ ...record, ...shownDetection(record.detection) });

function listedVersion(record: SandboxRecord, before: SandboxRecord | undefined): SandboxVersion {
  const { version, updatedAt } = record;
  if (before === undefined) return { version, createdAt: updatedAt, changedFields: [] };
  const [now, former] = [fieldsOf(record), fieldsOf(before)];
  const changedFields = CHANGEABLE.filter((name) => !isDeepStrictEqual(now[name], former[name]));
  return { version, createdAt: updatedAt, changedFields };
}
