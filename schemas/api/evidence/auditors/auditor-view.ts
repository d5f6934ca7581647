import { z } from 'zod';
import * as endpoints from '../../../endpoints.ts';
import { defineRoute } from '../../contract.ts';
import { createdQuery, dateQuery, withRange } from '../../fields/dates.ts';
import { idParams, uuid } from '../../fields/fields.ts';
import { pageQuery, pageQueryOf, pagination } from '../../fields/paging.ts';
import { signal, signalFilters } from '../../signals.ts';
import { attestation, frameworkCoverage, frameworkFilter } from '../attestations.ts';
import { chainFault, signingKey, verification, verificationJob, verificationQuery } from '../hash-chain.ts';
import {
  checkpoint,
  consistencyProof,
  consistencyQuery,
  inclusionProof,
  inclusionQuery,
} from '../hash-chain-proofs.ts';
import { incident, incidentFilters, listedIncident } from '../incidents.ts';
import { evidencePackage } from '../packages.ts';

/**
 * Operations that an auditor's token can call. Each call with an active token creates an entry in the customer's
 * ledger.
 */

const success = z.literal(true);

const ofCustomer = {
  customerId: z
    .string()
    .optional()
    .meta({ description: 'customer to read; required if the token covers several' }),
};

const view = { method: 'GET', auth: 'auditor', successStatus: 200 } as const;
const chain = { ...view, permission: 'VERIFY_HASH_CHAIN' } as const;

const SCOPE =
  'A token limited to frameworks only covers sandboxes with one of these regulations; a token with a period only covers that period. Everything else returns 404.';
const NEEDS = (permission: string): string =>
  `Requires ${permission}. Every request, including rejected ones, is recorded in the customer’s ledger.`;

export const auditSignals = defineRoute({
  ...view,
  ...endpoints.auditSignals,
  operationId: 'auditSignals',
  summary: 'List signals as an auditor',
  description: `${SCOPE} ${NEEDS('READ_SIGNALS')}`,
  tag: 'Auditor access',
  permission: 'READ_SIGNALS',
  costly: 'read',
  query: z.object({ ...ofCustomer, ...signalFilters, ...pageQuery }).transform(withRange),
  responses: { 200: z.object({ success, data: z.array(signal), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

const ATTESTED =
  'If no sandbox has the framework that the token is limited to, no signals count. For the customer itself, all signals count in that case.';

export const auditAttestations = defineRoute({
  ...view,
  ...endpoints.auditAttestations,
  operationId: 'auditAttestations',
  summary: 'List control attestations as an auditor',
  description: `${ATTESTED} ${NEEDS('READ_ATTESTATIONS')}`,
  tag: 'Auditor access',
  permission: 'READ_ATTESTATIONS',
  costly: 'read',
  query: z
    .object({ ...ofCustomer, framework: frameworkFilter, ...dateQuery, ...pageQueryOf(100) })
    .transform(withRange),
  responses: { 200: z.object({ success, data: z.array(attestation), pagination }) },
  errors: ['FRAMEWORK_NOT_GRANTED', 'LEDGER_ROLLED_BACK', 'INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const auditCoverage = defineRoute({
  ...view,
  ...endpoints.auditCoverage,
  operationId: 'auditCoverage',
  summary: 'Get control coverage as an auditor',
  description: `${ATTESTED} With \`framework\` the data are one object, else a list of all that the token shows. ${NEEDS('READ_ATTESTATIONS')}`,
  tag: 'Auditor access',
  permission: 'READ_ATTESTATIONS',
  costly: 'read',
  query: z.object({ ...ofCustomer, framework: frameworkFilter, ...dateQuery }).transform(withRange),
  responses: {
    200: z.object({ success, data: z.union([frameworkCoverage, z.array(frameworkCoverage)]) }),
  },
  errors: ['FRAMEWORK_NOT_GRANTED', 'LEDGER_ROLLED_BACK'],
});

const INCIDENTS =
  'A limited token covers an incident if it covers the signal and the incident was opened within the period. Incidents of erased signals are not shown.';

export const auditIncidents = defineRoute({
  ...view,
  ...endpoints.auditIncidents,
  operationId: 'auditIncidents',
  summary: 'List incidents as an auditor',
  description: `${INCIDENTS} ${NEEDS('READ_INCIDENTS')}`,
  tag: 'Auditor access',
  permission: 'READ_INCIDENTS',
  costly: 'read',
  query: z.object({ ...ofCustomer, ...incidentFilters, ...pageQuery }).transform(withRange),
  responses: { 200: z.object({ success, data: z.array(listedIncident), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const auditIncident = defineRoute({
  ...view,
  ...endpoints.auditIncident,
  operationId: 'auditIncident',
  summary: 'Get an incident as an auditor',
  description: `${INCIDENTS} ${NEEDS('READ_INCIDENTS')}`,
  tag: 'Auditor access',
  permission: 'READ_INCIDENTS',
  costly: 'read',
  params: idParams,
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: incident }) },
  errors: ['NOT_FOUND'],
});

const fault = chainFault.omit({ id: true });
const auditorVerification = verification
  .extend({ brokenAt: fault.nullable(), errors: z.array(fault) })
  .meta({ id: 'AuditorVerification' });
export type AuditorVerification = z.output<typeof auditorVerification>;
const auditorVerificationJob = verificationJob
  .extend({ result: auditorVerification.nullable() })
  .meta({ id: 'AuditorVerificationJob' });
export type AuditorVerificationJob = z.output<typeof auditorVerificationJob>;

export const auditHashChain = defineRoute({
  ...chain,
  ...endpoints.auditHashChain,
  operationId: 'auditHashChain',
  summary: 'Verify the ledger as an auditor',
  description: `Like \`/evidence/hash-chain/verify\`. Always covers the whole ledger, even for limited tokens; errors contain positions but no ids. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  costly: 'verification',
  query: z.object({ ...ofCustomer, ...verificationQuery }),
  responses: {
    200: z.object({ success, data: auditorVerification }),
    202: z.object({ success, data: auditorVerificationJob }),
  },
  errors: [],
});

export const auditVerification = defineRoute({
  ...chain,
  ...endpoints.auditVerification,
  operationId: 'auditVerification',
  summary: 'Get a verification job as an auditor',
  description: `The last five jobs of the customer are kept. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  params: z.object({ id: uuid.meta({ description: 'id of the job' }) }),
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: auditorVerificationJob }) },
  errors: ['NOT_FOUND'],
});

export const auditSigningKeys = defineRoute({
  ...chain,
  ...endpoints.auditSigningKeys,
  operationId: 'auditSigningKeys',
  summary: 'List signing keys as an auditor',
  description: `Like \`/evidence/hash-chain/keys\`. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: z.array(signingKey) }) },
  errors: [],
});

export const auditCheckpoint = defineRoute({
  ...chain,
  ...endpoints.auditCheckpoint,
  operationId: 'auditCheckpoint',
  summary: 'Get a signed checkpoint as an auditor',
  description: `Like \`/evidence/hash-chain/checkpoint\`. Save it: a later ledger must extend it. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  costly: 'read',
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: checkpoint }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const auditInclusionProof = defineRoute({
  ...chain,
  ...endpoints.auditInclusionProof,
  operationId: 'auditInclusionProof',
  summary: 'Prove that a signal is in the ledger as an auditor',
  description: `Like \`/evidence/hash-chain/proofs/inclusion\`. Limited tokens get no proof for erased signals. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  costly: 'read',
  query: z.object({ ...ofCustomer, ...inclusionQuery }),
  responses: { 200: z.object({ success, data: inclusionProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const auditConsistencyProof = defineRoute({
  ...chain,
  ...endpoints.auditConsistencyProof,
  operationId: 'auditConsistencyProof',
  summary: 'Prove that the ledger extends a checkpoint as an auditor',
  description: `Like \`/evidence/hash-chain/proofs/consistency\`. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  tag: 'Auditor access',
  costly: 'read',
  query: z.object({ ...ofCustomer, ...consistencyQuery }),
  responses: { 200: z.object({ success, data: consistencyProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

const PACKAGES =
  'A token with a period covers packages whose whole period lies within it. A token limited to frameworks covers packages of one of them, if a sandbox had that framework when the package was created; otherwise the package contains all signals.';

export const auditPackages = defineRoute({
  ...view,
  ...endpoints.auditPackages,
  operationId: 'auditPackages',
  summary: 'List evidence packages as an auditor',
  description: `${PACKAGES} The customer requests packages. ${NEEDS('DOWNLOAD_PACKAGES')}`,
  tag: 'Auditor access',
  permission: 'DOWNLOAD_PACKAGES',
  query: z.object({ ...ofCustomer, ...createdQuery, ...pageQuery }).transform(withRange),
  responses: { 200: z.object({ success, data: z.array(evidencePackage), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const auditPackageDownload = defineRoute({
  ...view,
  ...endpoints.auditPackageDownload,
  operationId: 'auditPackageDownload',
  summary: 'Download an evidence package as an auditor',
  description: `Like \`/evidence/packages/{id}/download\`. ${PACKAGES} ${NEEDS('DOWNLOAD_PACKAGES')}`,
  tag: 'Auditor access',
  permission: 'DOWNLOAD_PACKAGES',
  params: idParams,
  query: z.object(ofCustomer),
  mediaTypes: ['application/zip'],
  responses: { 200: z.string() },
  retryAfter: [409],
  errors: ['NOT_FOUND', 'PACKAGE_NOT_READY', 'PACKAGE_FAILED', 'PACKAGES_OFF'],
});
