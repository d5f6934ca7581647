import { type Auditors, openAuditors } from '#records/auditors/auditors.ts';
import type { EntryMaker } from '#records/changes/ledger-events.ts';
import { correlationSettingsEvent } from '#records/correlations/settings-record.ts';
import { type Incidents, openIncidents } from '#records/incidents/incidents.ts';
import type { PackageRecord } from '#records/packages/package-record.ts';
import { openPolicies, type Policies } from '#records/policies/policies.ts';
import { createPolicy } from '#records/retention/change-policy.ts';
import { startSignalErasure } from '#records/retention/signal-erasure.ts';
import type { IncidentStatus } from '#schemas/vocabulary.ts';
import { packageEvent } from '#services/api/evidence/packages/finish-package.ts';
import { recordAccess } from '#services/api/http/authentication/record-access.ts';
import { AMPLE, CUSTOMER, ID, timeAt } from './emitted-values.ts';

/**
 * Writes entries of incidents, auditors, erased signals, policies, packages and pattern settings. The order is fixed,
 * because their salts are counted.
 */
export async function writeEvidence(dependencies: Parameters<typeof startSignalErasure>[0]): Promise<void> {
  const { makeEntry } = dependencies;
  const randomBytes = (size: number): Buffer => Buffer.alloc(size, 0x1a);
  await writeIncident(openIncidents(dependencies));
  await writeAuditor(openAuditors({ ...dependencies, randomBytes }), makeEntry);
  await startSignalErasure(
    dependencies,
    {
      customerId: CUSTOMER,
      auditId: '0190dddd-0000-7000-8000-000000000011',
      index: 4_711,
      headers: {},
      at: timeAt(17),
      reason: 'DATA_SUBJECT_REQUEST',
      actor: `key:${ID}`,
    },
    [],
  );
  await writePolicy(openPolicies(dependencies));
  await createPolicy(
    dependencies,
    {
      customerId: CUSTOMER,
      policyId: '0190ffff-0000-7000-8000-000000000003',
      changeId: ID,
      at: timeAt(18),
      actor: `key:${ID}`,
    },
    {
      name: 'Zoë’s case 😀',
      retentionDays: 2_190,
      framework: 'HIPAA',
      sandboxSlug: 'support_chat',
      sandboxId: '0190ffff-0000-7000-8000-000000000004',
      action: 'ANONYMIZE',
      legalHold: true,
      active: true,
    },
  );
  await makeEntry(packageEvent(CUSTOMER, PACKAGE, PACKAGE.file!, timeAt(17)));
  await makeEntry(
    correlationSettingsEvent(
      CUSTOMER,
      {
        version: 2,
        windowMinutes: 15,
        minSignals: 5,
        dimensions: ['model', 'violation'],
        updatedAt: timeAt(23),
        changeIds: [ID],
      },
      `key:${ID}`,
    ),
  );
}

/** An auditor that is created, admitted once, and revoked. */
async function writeAuditor(auditors: Auditors, makeEntry: EntryMaker): Promise<void> {
  const issued = await auditors.issue({
    id: '0190ffff-0000-7000-8000-000000000002',
    name: 'Zoë 😀 & partners',
    email: 'zoë@example.org',
    permissions: ['READ_INCIDENTS', 'VERIFY_HASH_CHAIN'],
    frameworks: ['GDPR', 'SOC2'],
    periodStart: timeAt(0),
    periodEnd: null,
    expiresAt: timeAt(59),
    createdAt: timeAt(16),
    createdByKeyId: ID,
    grants: [{ customerId: CUSTOMER, budget: AMPLE }],
  });
  if (!issued.ok) throw new Error(issued.reason);
  const auditor = issued.record;
  await recordAccess(
    {
      log: { append: async () => [] },
      makeEntry,
      now: () => Date.parse(timeAt(17)),
      newId: () => '0190ffff-0000-7000-8000-000000000003',
    },
    { customerId: CUSTOMER, auditor, customer: {} as never },
    {
      permission: 'READ_INCIDENTS',
      path: '/auditor/incidents/0190ffff-0000-7000-8000-000000000001',
      isAllowed: true,
    },
  );
  await auditors.revoke(CUSTOMER, auditor.id, timeAt(18));
}

async function writePolicy(policies: Policies): Promise<void> {
  const policyId = '0190ffff-0000-7000-8000-000000000002';
  const asked = { customerId: CUSTOMER, policyId, takenOver: false };
  await policies.create({
    customerId: CUSTOMER,
    id: policyId,
    budget: AMPLE,
    createdAt: timeAt(20),
    settings: {
      name: 'Zoë’s policy 😀',
      description: null,
      framework: 'PCI_DSS',
      sandboxSlugs: ['support-chat'],
      rules: [
        { code: 'CREDIT_CARD', minRiskLevel: 'HIGH', maxCount: 0, windowDays: 30, action: 'OPEN_INCIDENT' },
      ],
      enforcement: 'MONITOR',
      active: true,
    },
  });
  await policies.change({
    ...asked,
    budget: AMPLE,
    at: timeAt(21),
    changeId: '0190eeee-0000-7000-8000-000000000021',
    settings: (record) => ({
      ...record,
      description: 'agreed with "Zoë"\nherself',
      sandboxSlugs: [],
      rules: [
        ...record.rules,
        { code: '*', minRiskLevel: 'LOW', maxCount: 1_000, windowDays: 7, action: 'ALERT' },
      ],
      enforcement: 'ENFORCE',
    }),
  });
  await policies.delete({ ...asked, at: timeAt(22), changeId: '0190eeee-0000-7000-8000-000000000022' });
}

const PACKAGE: PackageRecord = {
  id: '0190ffff-0000-7000-8000-000000000002',
  framework: 'EU_AI_ACT',
  startDate: timeAt(0),
  endDate: timeAt(16),
  includeIncidents: true,
  includeHashChain: false,
  basis: {
    size: 12,
    root: 'ab'.repeat(32),
    chainHead: 'cd'.repeat(32),
    epoch: 0,
    issuedAt: timeAt(16),
    note: 'origin/customer\n12\nroot\n\n\u2014 origin signature\n',
  },
  status: 'GENERATING',
  progress: 1,
  createdAt: timeAt(16),
  createdByKeyId: ID,
  expiresAt: timeAt(59),
  attempts: 1,
  failure: null,
  file: { name: 'made.zip', sizeBytes: 123_456, sha256: 'ef'.repeat(32), holds: [3, 11], scope: 'NAMED' },
};

async function writeIncident(incidents: Incidents): Promise<void> {
  const incidentId = '0190ffff-0000-7000-8000-000000000001';
  await incidents.open({
    customerId: CUSTOMER,
    id: incidentId,
    signalId: '0190dddd-0000-7000-8000-000000000011',
    auditId: '0190dddd-0000-7000-8000-000000000011',
    severity: 'HIGH',
    violations: ['EMAIL', 'CUSTOM_RULE'],
    title: 'Zoë’s address 😀',
    description: 'seen by "Zoë"\nherself',
    createdAt: timeAt(13),
    createdByKeyId: ID,
    dueAt: null,
    notifyBy: timeAt(59),
    budget: AMPLE,
  });
  const asserted = {
    customerId: CUSTOMER,
    incidentId,
    assertedByKeyId: ID,
    seenVersion: null,
    budget: AMPLE,
  };
  const move = (to: IncidentStatus, userId: string, minute: number, texts: object = {}) =>
    incidents.move({
      ...asserted,
      comment: null,
      resolution: null,
      ...texts,
      to,
      mover: { userId, role: 'DPO' },
      at: timeAt(minute),
      changeId: `0190eeee-0000-7000-8000-0000000000${minute}`,
      takenOver: false,
    });
  await move('INVESTIGATING', 'Zoë ', 14);
  await move('RESOLVED', 'usr_2', 15, { resolution: 'taken\nout', comment: '😀' });
}
