import { createHash } from 'node:crypto';
import { Refusal } from '#platform/flow/refusal.ts';
import type { EvidencePackage } from '#schemas/api/evidence/packages.ts';
import { downloadPackage } from '#services/api/evidence/packages/download-package.ts';
import { packageById } from '#services/api/evidence/packages/read-packages.ts';
import { createPackage } from '#services/api/evidence/packages/request-package.ts';
import { madeEvidence } from '#services/api/http/envelopes.ts';
import { createExportPermits } from '#services/api/operations/limits/export-permits.ts';
import { erasedSalts } from './erased.ts';
import {
  type Api,
  bodyOf,
  callerOf,
  insist,
  keyOf,
  MAX_ATTEMPTS,
  type Request,
  under,
  wait,
} from './insist.ts';
import { randomOf } from './random.ts';

/** Few, so that two clients request the same package. */
const PERIODS = [
  { from: Date.UTC(2026, 0), to: Date.UTC(2026, 11, 31) },
  { from: Date.UTC(2026, 10, 23), to: Date.UTC(2026, 11, 31) },
];
const POLLS = 8;
const POLL_EVERY_MS = 3_000;
const PACE = { windowMs: 30_000, leastBytes: 1 };

/** The bytes of a package as an API process serves them. */
export async function downloaded(api: Api, customerId: string, id: string): Promise<Buffer> {
  const permits = createExportPermits({ total: 32, perCustomer: 4 });
  const { stream } = await downloadPackage({ ...api, permits, pace: PACE }, customerId, id);
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Requests a package, waits for it and downloads it. */
export const evidencePackage: Request = async (dependencies, customer, operation) => {
  const { promised, now, note, store } = dependencies;
  const random = randomOf(operation.dice);
  const input = {
    framework: random.pick(['GDPR', 'GDPR', 'SOC2', 'PCI_DSS'] as const),
    ...random.pick(PERIODS),
    includeIncidents: random.chance(0.7),
    includeHashChain: random.chance(0.7),
  };
  const made = await insist(dependencies, 'package', MAX_ATTEMPTS, async (api) => {
    const caller = await callerOf(api, customer.key);
    const { id } = bodyOf<{ data: EvidencePackage }>(
      await createPackage(api, caller, input, under(api, customer.id, keyOf(operation), madeEvidence)),
    ).data;
    promised.packages.push({ customerId: customer.id, packageId: id, atMs: now() });
    note('client', `package ${id}`);
    return id;
  });
  if (made === null) return;
  for (let poll = 0; poll < POLLS; poll += 1) {
    await wait(POLL_EVERY_MS);
    const status = await insist(dependencies, 'package', 1, async (api) => {
      const caller = await callerOf(api, customer.key);
      const record = await packageById(api, caller.customerId, made);
      if (record.status !== 'READY') return record.status;
      const salts = erasedSalts(store, customer.id);
      const bytes = await downloaded(api, customer.id, made);
      const erased = [...salts].filter(([salt]) => bytes.includes(salt)).map(([, auditId]) => auditId);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const isWhole = sha256 === record.file?.sha256;
      promised.downloads.push({ customerId: customer.id, packageId: made, isWhole, erased, atMs: now() });
      note('client', `package ${made} has ${bytes.length} bytes`);
      return record.status;
    }).catch((error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    });
    if (status !== null && status !== 'GENERATING') return;
  }
};
