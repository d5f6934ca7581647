import { isLoopback } from '#platform/config/allowed-hosts.ts';
import type { Settings } from '#platform/config/settings.ts';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { getReconciliation, listSignals, listSigningKeys, verifyHashChain } from '#schemas/endpoints.ts';
import { createClient, internalClient } from '../command/client.ts';
import { print } from '../command/output.ts';
import { createDemoCustomer, createDemoSandboxes } from './customer.ts';
import type { RunningService } from './service.ts';
import { proveEntry, verifyPackage } from './show-evidence.ts';
import { settleIncident } from './show-incident.ts';
import { findPattern } from './show-pattern.ts';
import { ingest, showRedaction, showScan } from './show-signals.ts';
import { countSignals } from './signals.ts';
import { coveringCheckpoint, dataOf, expectedEntries, heading, type Tour } from './tour.ts';

/** Compares the service's own counts with those of the tour. */
async function addUp(tour: Tour): Promise<void> {
  heading('9. Does it add up?');
  const { client, check, entries } = tour;
  await coveringCheckpoint(tour);
  const audits = entries.get('SIGNAL') ?? 0;
  const stored = await countSignals(client);
  check(`${audits} audits, ${stored} signals`, stored === audits);
  const { accepted, ledgerSignals, balanced } = (await client.call(getReconciliation)).body;
  check(
    `reconciliation: ${String(accepted)} accepted, ${String(ledgerSignals)} signals on the ledger`,
    Boolean(balanced) && Number(accepted) === audits && Number(ledgerSignals) === audits,
  );
  const { valid, status, treeSize, checkedEntries } = dataOf<Record<string, unknown>>(
    await client.call(verifyHashChain),
  );
  const parts = [...entries].map(([kind, count]) => `${count} ${kind}`).join(' + ');
  check(
    `hash chain ${String(status)}: ${String(checkedEntries)} of ${String(treeSize)} entries re-hashed = ${parts}`,
    valid === true && checkedEntries === treeSize && treeSize === expectedEntries(tour),
  );
}

/** Runs all stops; returns whether every statement held. */
export async function runTour(settings: Settings, service: RunningService, folder: string): Promise<boolean> {
  const startDate = new Date().toISOString().slice(0, 10);
  const name = `Tour ${new Date().toISOString()}`;
  const { customerId, key } = await createDemoCustomer(internalClient(settings), name);
  const headers = { [settings.keyHeader]: key };
  const client = createClient(service.baseUrl, headers);
  await createDemoSandboxes(client);
  print(`Customer ${customerId}, made for this tour, with an API key and three sandboxes.`);
  const keys = dataOf<{ vkey: string; validTo: string | null }[]>(await client.call(listSigningKeys));
  const verdicts: boolean[] = [];
  const tour: Tour = {
    client,
    headers,
    folder,
    // Replaced keys stay in the list.
    vkey: String(keys.find(({ validTo }) => validTo === null)?.vkey),
    entries: new Map([
      ['KEY_EVENT', 1],
      ['POLICY_EVENT', 3],
    ]),
    check: (what, holds) => {
      verdicts.push(holds);
      print(`  ${holds ? 'yes' : 'NO '}  ${what}`);
    },
  };
  const { auditId, signals } = await ingest(tour);
  await showRedaction(tour, auditId);
  await showScan(tour);
  await settleIncident(tour, signals);
  await proveEntry(tour, auditId);
  await verifyPackage(tour, startDate);
  await findPattern(tour);
  await addUp(tour);
  // If others can reach the service, a key in a log or on a shared screen would give them access.
  const shown = isLoopback(settings.host) ? key : '<an API key>';
  const next = service.baseUrl + targetOf(listSignals, { query: { riskLevel: 'HIGH' } });
  print(`\nTo continue${service.startedHere ? ', start the service with npm start and' : ','} try:`);
  print(`  curl -s '${next}' -H '${settings.keyHeader}: ${shown}'`);
  const addsUp = verdicts.every((holds) => holds);
  print(addsUp ? '\nEverything added up.' : '\nSomething did not add up: see the lines marked NO.');
  return addsUp;
}
