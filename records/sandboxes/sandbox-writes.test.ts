import { expect, test } from '#jest';
import { SANDBOX_EVENT } from '#schemas/ledger/policy-event.v1.ts';
import type { SandboxRecord } from '../documents/sandbox-record.ts';
import { policyEvent } from './sandbox-writes.ts';

const record: SandboxRecord = {
  id: 'sandbox-1',
  version: 3,
  name: 'Support of Ann Example',
  slug: 'support-chat',
  sandboxType: 'CUSTOM',
  regulations: ['GDPR'],
  alertThreshold: 'HIGH',
  guardianAction: 'ALLOW_ALL',
  customRules: ['Ann Example'],
  region: 'EU',
  active: true,
  redactionStrategy: 'FULL',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  deletedAt: null,
  changeId: 'change-1',
};

test('a sandbox version is published according to its entry’s definition', () => {
  const { core, detail } = policyEvent('customer-1', record);
  expect(Object.keys(core)).toEqual(Object.keys(SANDBOX_EVENT.core));
  expect(core).toMatchObject({ type: 'SANDBOX', sandboxId: 'sandbox-1', version: 3, slug: 'support-chat' });
  expect(detail).toEqual({ name: 'Support of Ann Example', customRules: ['Ann Example'] });
});

test('a new field of the record is in no part of the entry until its definition names it', () => {
  const later: SandboxRecord & Readonly<Record<string, unknown>> = {
    ...record,
    ownerEmail: 'ann@example.org',
    notes: ['call Ann'],
  };
  expect(policyEvent('customer-1', later)).toEqual(policyEvent('customer-1', record));
});
