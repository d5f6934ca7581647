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
    includeIncidents: z
      .boolean()
      .default(true)
      .meta({ description: 'what was done about the signals: every move of their incidents' }),
    includeHashChain: z.boolean().default(true).meta({
      description: 'the entries of the ledger by which signals and incidents can be verified one by one',
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
        'READY: it can be downloaded; EXPIRED: its time is over, or something that it held was erased; FAILED: it could not be made, or its file is gone or was changed: `failure` says why',
    }),
    progress: z.number().min(0).max(1),
    sizeBytes: z.int().nullable().meta({ description: 'null before it is READY' }),
    sha256: hash.nullable().meta({ description: 'of the file; null before it is READY' }),
    checkpoint: z
      .string()
      .meta({ description: 'signed note of the ledger that it was made of, and of nothing behind it' }),
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
  summary: 'Makes an evidence package: a signed archive that can be verified without the service',
  description:
    'It is made in the background, of the ledger up to its newest checkpoint. The same request is answered with 200 and the package that is there, as long as nothing but packages came to the ledger since. It supports record-keeping; what a framework demands goes further than what models are asked and answer.',
  tag: 'evidence',
  auth: 'key',
  costly: 'read',
  body: newPackage,
  idempotent: true,
  successStatus: 201,
  responses: {
    200: one.meta({ description: 'The package that is there.' }),
    201: one,
  },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK', 'PACKAGE_LIMIT_REACHED', 'PACKAGES_UNDER_WAY', 'PACKAGES_OFF'],
});

export const listPackages = defineRoute({
  ...endpoints.listPackages,
  operationId: 'listPackages',
  summary: 'Evidence packages of the customer, newest first',
  description:
    'Those that failed or expired stay in the list until newer ones replace them. A range of dates selects by `createdAt`, not by the period that a package covers.',
  tag: 'evidence',
  auth: 'key',
  query: z.object({ ...createdQuery, ...pageQuery }).transform(withRange),
  successStatus: 200,
  responses: { 200: z.object({ success, data: z.array(evidencePackage), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const getPackage = defineRoute({
  ...endpoints.getPackage,
  operationId: 'getPackage',
  summary: 'One evidence package, and how far it is',
  description:
    'While it is GENERATING, `progress` says how far it is. `sha256` is that of the file, so that a download can be compared with it.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  responses: { 200: one },
  errors: ['NOT_FOUND'],
});

export const downloadPackage = defineRoute({
  ...endpoints.downloadPackage,
  operationId: 'downloadPackage',
  summary: 'The archive (zip)',
  description:
    'While it is being made: 409 with Retry-After; once it has expired: 404; when its file is gone or was changed after it was made: 409 PACKAGE_FAILED, and the same request makes another package. `cas verify package.zip --key <vkey>` checks it with no service and no network, with a key of `/evidence/hash-chain/keys` that was kept: one inside the archive would prove nothing.',
  tag: 'evidence',
  auth: 'key',
  params: idParams,
  successStatus: 200,
  mediaTypes: ['application/zip'],
  responses: { 200: z.string() },
  retryAfter: [409],
  errors: ['NOT_FOUND', 'PACKAGE_NOT_READY', 'PACKAGE_FAILED', 'PACKAGES_OFF'],
});
