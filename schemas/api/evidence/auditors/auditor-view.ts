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

/** What an auditor's token opens. Each call of an active token is an entry of the customer's ledger. */

const success = z.literal(true);

const ofCustomer = {
  customerId: z
    .string()
    .optional()
    .meta({ description: 'whose records; needed when the token shows those of several customers' }),
};

const view = { method: 'GET', tag: 'auditor', auth: 'auditor', successStatus: 200 } as const;
const chain = { ...view, permission: 'VERIFY_HASH_CHAIN' } as const;

const SCOPE =
  'A token that is limited to frameworks shows what belongs to sandboxes whose regulations name one of them, one with a period what lies within it; anything else does not exist for it.';
const NEEDS = (permission: string): string =>
  `Needs ${permission}. The call is an entry of the customer’s hash chain, also when it is refused.`;

export const auditSignals = defineRoute({
  ...view,
  ...endpoints.auditSignals,
  operationId: 'auditSignals',
  summary: 'Signals that the token shows, newest first; filters combine with AND',
  description: `${SCOPE} ${NEEDS('READ_SIGNALS')}`,
  permission: 'READ_SIGNALS',
  costly: 'read',
  query: z.object({ ...ofCustomer, ...signalFilters, ...pageQuery }).transform(withRange),
  responses: { 200: z.object({ success, data: z.array(signal), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

const ATTESTED =
  'Where no sandbox names a framework that the token is limited to, no signal counts: unlike for the customer itself, not all of them do.';

export const auditAttestations = defineRoute({
  ...view,
  ...endpoints.auditAttestations,
  operationId: 'auditAttestations',
  summary: 'What the evidence tells of each control of the frameworks that the token shows',
  description: `${ATTESTED} ${NEEDS('READ_ATTESTATIONS')}`,
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
  summary: 'How many controls there is evidence of, and which have none',
  description: `${ATTESTED} With \`framework\` the data are one object, else a list of all that the token shows. ${NEEDS('READ_ATTESTATIONS')}`,
  permission: 'READ_ATTESTATIONS',
  costly: 'read',
  query: z.object({ ...ofCustomer, framework: frameworkFilter, ...dateQuery }).transform(withRange),
  responses: {
    200: z.object({ success, data: z.union([frameworkCoverage, z.array(frameworkCoverage)]) }),
  },
  errors: ['FRAMEWORK_NOT_GRANTED', 'LEDGER_ROLLED_BACK'],
});

const INCIDENTS =
  'A limited token shows an incident when it shows the signal, and when it was opened within the period; of an erased signal nobody can tell, so its incident is not shown.';

export const auditIncidents = defineRoute({
  ...view,
  ...endpoints.auditIncidents,
  operationId: 'auditIncidents',
  summary: 'Incidents that the token shows, newest first; filters combine with AND',
  description: `${INCIDENTS} ${NEEDS('READ_INCIDENTS')}`,
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
  summary: 'One incident with its history',
  description: `${INCIDENTS} ${NEEDS('READ_INCIDENTS')}`,
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
  summary: 'Re-derives the whole hash chain from what is stored; 200 also when it is broken',
  description: `As /evidence/hash-chain/verify, whatever the token is limited to, for a chain can be verified as a whole alone; faults name places in the chain and no ids. ${NEEDS('VERIFY_HASH_CHAIN')}`,
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
  summary: 'Progress and result of a verification that runs as a job',
  description: `The last five jobs of a customer are kept. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  params: z.object({ id: uuid.meta({ description: 'id of the job' }) }),
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: auditorVerificationJob }) },
  errors: ['NOT_FOUND'],
});

export const auditSigningKeys = defineRoute({
  ...chain,
  ...endpoints.auditSigningKeys,
  operationId: 'auditSigningKeys',
  summary: 'Public keys that checkpoints and receipts are signed with',
  description: `As /evidence/hash-chain/keys. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: z.array(signingKey) }) },
  errors: [],
});

export const auditCheckpoint = defineRoute({
  ...chain,
  ...endpoints.auditCheckpoint,
  operationId: 'auditCheckpoint',
  summary: 'Signed size, root and head of the ledger as it is stored now',
  description: `Keep it: a later ledger has to go on from it. As /evidence/hash-chain/checkpoint. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  costly: 'read',
  query: z.object(ofCustomer),
  responses: { 200: z.object({ success, data: checkpoint }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const auditInclusionProof = defineRoute({
  ...chain,
  ...endpoints.auditInclusionProof,
  operationId: 'auditInclusionProof',
  summary: 'Proves that a signal that the token shows is an entry of the signed ledger',
  description: `As /evidence/hash-chain/proofs/inclusion. A limited token has no proof of an erased signal. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  costly: 'read',
  query: z.object({ ...ofCustomer, ...inclusionQuery }),
  responses: { 200: z.object({ success, data: inclusionProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

export const auditConsistencyProof = defineRoute({
  ...chain,
  ...endpoints.auditConsistencyProof,
  operationId: 'auditConsistencyProof',
  summary: 'Proves that the ledger of `toSize` entries begins with that of `fromSize` entries',
  description: `For two checkpoints that were kept. As /evidence/hash-chain/proofs/consistency. ${NEEDS('VERIFY_HASH_CHAIN')}`,
  costly: 'read',
  query: z.object({ ...ofCustomer, ...consistencyQuery }),
  responses: { 200: z.object({ success, data: consistencyProof }) },
  errors: ['NOT_FOUND', 'LEDGER_ROLLED_BACK'],
});

const PACKAGES =
  'A token with a period shows a package when the package’s whole period lies within it, one that is limited to frameworks when the package is made, of one of them, and some sandbox named it: a package of a framework that none names holds all signals.';

export const auditPackages = defineRoute({
  ...view,
  ...endpoints.auditPackages,
  operationId: 'auditPackages',
  summary: 'Evidence packages that the token shows, newest first',
  description: `${PACKAGES} The customer asks for them. ${NEEDS('DOWNLOAD_PACKAGES')}`,
  permission: 'DOWNLOAD_PACKAGES',
  query: z.object({ ...ofCustomer, ...createdQuery, ...pageQuery }).transform(withRange),
  responses: { 200: z.object({ success, data: z.array(evidencePackage), pagination }) },
  errors: ['INVALID_CURSOR', 'PAGE_TOO_DEEP'],
});

export const auditPackageDownload = defineRoute({
  ...view,
  ...endpoints.auditPackageDownload,
  operationId: 'auditPackageDownload',
  summary: 'The archive (zip) of a package that the token shows',
  description: `As /evidence/packages/:id/download. ${PACKAGES} ${NEEDS('DOWNLOAD_PACKAGES')}`,
  permission: 'DOWNLOAD_PACKAGES',
  params: idParams,
  query: z.object(ofCustomer),
  mediaTypes: ['application/zip'],
  responses: { 200: z.string() },
  retryAfter: [409],
  errors: ['NOT_FOUND', 'PACKAGE_NOT_READY', 'PACKAGE_FAILED', 'PACKAGES_OFF'],
});
