import { z } from 'zod';
import * as endpoints from '../../endpoints.ts';
import { FRAMEWORKS, PACKAGE_STATUSES } from '../../vocabulary.ts';
import { defineRoute } from '../contract.ts';
import { createdQuery, dateFields, toDateRange, withRange } from '../fields/dates.ts';
import { hash, idParams, isoTime, uuid } from '../fields/fields.ts';
import { pageQuery, pagination } from '../fields/paging.ts';

const framework = z.enum(FRAMEWORKS);

const newPackage = z
  .object({
    framework,
    ...dateFields(),
    includeIncidents: z.boolean().default(true).meta({ description: 'include the history of incidents' }),
    includeHashChain: z.boolean().default(true).meta({
      description: 'include ledger proofs, to verify signals and incidents one by one',
    }),
  })
  .meta({
    anyOf: [
      { type: 'object', required: ['startDate', 'endDate'] },
      { type: 'object', required: ['from', 'to'] },
    ],
  })
  .transform(({ from, to, startDate, endDate, ...rest }, context) => {
    const names = from === undefined && to === undefined ? ['startDate', 'endDate'] : ['from', 'to'];
    const given = { from, to, startDate, endDate };
    for (const name of names)
      if (given[name as keyof typeof given] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'this field is required' });
    const range = toDateRange(given, context);
    return { ...rest, from: range.from!, to: range.to! };
  });
/** `from`, `to`: Unix ms, both inclusive. */
export type NewPackage = z.output<typeof newPackage>;

export const evidencePackage = z
  .object({
    id: uuid,
    framework,
    startDate: isoTime,
    endDate: isoTime,
    includeIncidents: z.boolean(),
    includeHashChain: z.boolean(),
    status: z.enum(PACKAGE_STATUSES).meta({
      description:
        'READY: can be downloaded; EXPIRED: too old, or part of its content was erased; FAILED: not created, or its file is missing or changed, see `failure`',
    }),
    progress: z.number().min(0).max(1),
    sizeBytes: z.int().nullable().meta({ description: 'null until READY' }),
    sha256: hash.nullable().meta({ description: 'SHA-256 of the file; null until READY' }),
    checkpoint: z.string().meta({ description: 'signed checkpoint at which the package ends' }),
    failure: z.string().nullable(),
    createdAt: isoTime,
    expiresAt: isoTime,
  })
  .meta({ id: 'EvidencePackage' });
export type EvidencePackage = z.output<typeof evidencePackage>;

const success = z.literal(true);
const one = z.object({ success, data: evidencePackage });

export const createPackage = defineRoute({
  ...endpoints.createPackage,
  operationId: 'createPackage',
  summary: 'Create an evidence package',
  description:
    'Creates a signed archive in the background, from the ledger up to its newest checkpoint. It can be verified without the service. If an identical package exists and nothing was added since, it is returned with 200. Packages support record-keeping; a framework can require more.',
  tag: 'Packages',
  auth: 'key',
  costly: 'read',
  body: newPackage,
  idempotent: true,
  successStatus: 201,
  responses: {
    200: one.meta({ description: 'The existing package.' }),
    201: one,
  },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK', 'PACKAGE_LIMIT_REACHED', 'PACKAGES_UNDER_WAY', 'PACKAGES_OFF'],
});

export const listPackages = defineRoute({
  ...endpoints.listPackages,
  operationId: 'listPackages',
  summary: 'List evidence packages',
  description:
    'Newest first. Failed and expired packages stay in the list until newer ones replace them. Dates filter by `createdAt`, not by the period of the package.',
  tag: 'Packages',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(evidencePackage), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getPackage = defineRoute({
  ...endpoints.getPackage,
  operationId: 'getPackage',
  summary: 'Get an evidence package',
  description:
    '`progress` shows the progress while the status is GENERATING. Compare a download with `sha256`.',
  tag: 'Packages',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const downloadPackage = defineRoute({
  ...endpoints.downloadPackage,
  operationId: 'downloadPackage',
  summary: 'Download an evidence package',
  description:
    'Returns a zip archive. 409 with Retry-After while it is being created, 404 after it has expired, 409 PACKAGE_FAILED if its file is missing or changed: request a new one. Verify it offline with `cas verify package.zip --key <vkey>`, using a key of `/evidence/hash-chain/keys` that you saved earlier, not one from the archive.',
  tag: 'Packages',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  mediaTypes: ['application/zip'],
  responses: { 200: z.string() },
  retryAfter: [409],
  errors: ['NOT_FOUND', 'PACKAGE_NOT_READY', 'PACKAGE_FAILED', 'PACKAGES_OFF'],
});
