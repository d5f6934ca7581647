import { readFileSync } from 'node:fs';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { createPackage, downloadPackage, getInclusionProof, getPackage } from '#schemas/endpoints.ts';
import { RequestFailed } from '../command/client.ts';
import { save, verifyOffline } from './offline.ts';
import { addEntries, coveringCheckpoint, dataOf, heading, note, type Tour, waitFor } from './tour.ts';

export async function proveEntry(tour: Tour, auditId: string): Promise<void> {
  heading('6. Proof: the signal is in the signed ledger');
  await coveringCheckpoint(tour);
  const proof = await tour.client.call(getInclusionProof, { query: { auditId } });
  tour.check('its proof verifies offline', await verifyOffline(tour, save(tour, 'proof.json', proof.body)));
}

interface Package {
  readonly id: string;
  readonly status: string;
}

/** Id of a package requested today; null when the service stores none. */
async function requestPackage({ client }: Tour, startDate: string): Promise<string | null> {
  const body = {
    framework: 'GDPR',
    startDate,
    endDate: new Date().toISOString().slice(0, 10),
    includeIncidents: true,
    includeHashChain: true,
  };
  try {
    return dataOf<Package>(await client.call(createPackage, { body })).id;
  } catch (error) {
    if (error instanceof RequestFailed && error.code === 'PACKAGES_OFF') return null;
    throw error;
  }
}

/** Verifies a signed package, and a copy with one word changed. */
export async function verifyPackage(tour: Tour, startDate: string): Promise<void> {
  heading('7. Signed package: the evidence for GDPR');
  const { client, check } = tour;
  const id = await requestPackage(tour, startDate);
  if (id === null)
    return note('skipped: this service stores no packages (PACKAGES_DIR or PACKAGES_S3_BUCKET)');
  addEntries(tour, 'EVIDENCE_EVENT', 1);
  await waitFor('the package', async () => {
    const { status } = dataOf<Package>(await client.call(getPackage, { params: { id } }));
    if (status === 'FAILED') throw new Error(`package ${id} failed`);
    return status === 'READY' ? status : null;
  });
  const target = targetOf(downloadPackage, { params: { id } });
  const response = await fetch(`${client.baseUrl}${target}`, { headers: tour.headers });
  const file = save(tour, 'package.zip', new Uint8Array(await response.arrayBuffer()));
  check(
    'it verifies offline, with the service’s key alone',
    response.ok && (await verifyOffline(tour, file)),
  );
  const bytes = readFileSync(file);
  // The length stays the same, so that the archive is intact and only the signed digest shows the change.
  bytes.write('"riskLevel":"LOW" ', bytes.indexOf('"riskLevel":"HIGH"'));
  check(
    'a copy in which a HIGH signal is made LOW is refused',
    !(await verifyOffline(tour, save(tour, 'forged.zip', bytes))),
  );
}
