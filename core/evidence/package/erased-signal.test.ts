import { expect, test } from '#jest';
import { NOTICE } from '#schemas/api/evidence/attestations.ts';
import { type Manifest, PACKAGE_FORMAT } from '#schemas/api/evidence/evidence-package.ts';
import { CUSTOMER, sampleDraft, storedRows } from '../testing/sample-chain.ts';
import type { Archive } from './archive.ts';
import { signalLineOf } from './lines.ts';
import type { ChainFacts } from './verify-chain.ts';
import { verifyContent } from './verify-content.ts';

const rows = storedRows([sampleDraft(0, 'SIGNAL')]);
const [signal, entry] = [rows.signals[0]!, rows.ledger[0]!];
const text = Buffer.from(signalLineOf(signal));
const archive: Archive = {
  files: new Map([['signals.ndjson', { name: 'signals.ndjson', size: text.length, from: 0 }]]),
  async *chunks() {
    yield text;
  },
};
const signed: Manifest = {
  ...{ format: PACKAGE_FORMAT, notice: NOTICE, customerId: CUSTOMER, framework: 'GDPR', scope: 'ALL' },
  ...{ periodStart: '2000-01-01T00:00:00.000Z', periodEnd: '2099-01-01T00:00:00.000Z' },
  ...{ includeIncidents: false, includeHashChain: true, generatedAt: entry.at, treeSize: 2, rootHash: '' },
  ...{ catalogueVersion: 'none', counts: { signals: 1, incidentEvents: 0, entries: 2 }, files: [] },
};
const chain = (erased: ReadonlySet<string>): ChainFacts => ({
  from: 0,
  entries: 2,
  erased,
  at: () => ({
    kind: 'SIGNAL',
    id: entry.id,
    at: entry.at,
    core: Buffer.from(entry.coreHash, 'hex'),
    detail: Buffer.from(entry.detailHash, 'hex'),
  }),
});

test('a package that contains a signal whose erasure is in the hash chain has a fault', async () => {
  expect(await verifyContent(archive, signed, chain(new Set()))).toMatchObject({ signals: 1 });
  await expect(verifyContent(archive, signed, chain(new Set([entry.id])))).rejects.toThrow(
    'the ledger records the erasure of this signal',
  );
});
