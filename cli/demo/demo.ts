import type { Command } from 'commander';
import { isLoopback } from '#platform/config/allowed-hosts.ts';
import type { Settings } from '#platform/config/settings.ts';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { getOpenApi, getReconciliation, listSignals, verifyHashChain } from '#schemas/endpoints.ts';
import { type Client, createClient, internalClient, serviceUrl } from '../command/client.ts';
import { print } from '../command/output.ts';
import type { SettingsReader } from '../command/settings.ts';
import { checkReceipts } from './check-receipts.ts';
import { evidenceCommand } from './evidence/evidence.ts';
import { ordinaryCommand } from './ordinary/ordinary.ts';
import { patternsCommand } from './patterns/patterns.ts';
import { createDemoCustomer, createDemoSandboxes } from './steps/customer.ts';
import { exampleLines, ingestExamples } from './steps/examples.ts';
import { printSignals, readAllSignals } from './steps/report.ts';
import { type RunningService, startServiceIfNone } from './steps/service.ts';

interface Reconciliation {
  readonly admitted: number;
  readonly accepted: number;
  readonly ledgerSignals: number;
  readonly balanced: boolean;
}

interface Verification {
  readonly valid: boolean;
  readonly status: string;
  readonly treeSize: number;
  readonly checkedEntries: number;
  readonly chainHead: string | null;
  readonly durationMs: number;
}

/** What must hold at the end; each line is printed with its verdict. */
async function addUp(client: Client, lines: number, auditIds: readonly string[]): Promise<boolean> {
  const signals = await readAllSignals(client);
  printSignals(signals);
  const verification = (await client.call(verifyHashChain)).body.data as unknown as Verification;
  const reconciliation = (await client.call(getReconciliation)).body as unknown as Reconciliation;
  const stored = new Set(signals.map((signal) => signal.auditId));
  const checks: [string, boolean][] = [
    [
      `${auditIds.length} of ${lines} triplets accepted, each with an id of its own`,
      new Set(auditIds).size === lines,
    ],
    [`${signals.length} signals stored, one per audit`, signals.length === lines && stored.size === lines],
    ['every accepted audit has its signal', auditIds.every((id) => stored.has(id))],
    [
      `hash chain ${verification.status}: ${verification.checkedEntries} of ${verification.treeSize} entries re-hashed in ${verification.durationMs} ms, head ${verification.chainHead?.slice(0, 16) ?? 'none'}…`,
      verification.valid &&
        verification.checkedEntries === verification.treeSize &&
        verification.treeSize >= lines,
    ],
    [
      `reconciliation: ${reconciliation.admitted} answered, ${reconciliation.accepted} accepted, ${reconciliation.ledgerSignals} signals in the chain`,
      reconciliation.balanced && reconciliation.accepted === lines && reconciliation.ledgerSignals === lines,
    ],
  ];
  print('\nDoes it add up?');
  for (const [what, holds] of checks) print(`  ${holds ? 'yes' : 'NO '}  ${what}`);
  return checks.every(([, holds]) => holds);
}

async function runDemo(settings: Settings, service: RunningService): Promise<boolean> {
  const internal = internalClient(settings);
  const { customerId, key } = await createDemoCustomer(internal, `Demo ${new Date().toISOString()}`);
  const client = createClient(service.baseUrl, { [settings.keyHeader]: key });
  await createDemoSandboxes(client);

  const lines = exampleLines();
  print(`Customer ${customerId} with three sandboxes; ingesting ${lines.length} example triplets.\n`);
  const ingested = await ingestExamples(client, lines);

  const addsUp = await addUp(
    client,
    lines.length,
    ingested.map(({ auditId }) => auditId),
  );
  const signed = await checkReceipts(
    client,
    ingested.map(({ receipt }) => receipt),
  );
  print(`  ${signed ? 'yes' : 'NO '}  every receipt carries a valid signature`);

  print('\nWhere to look next');
  if (service.startedHere)
    print('  npm start                                    # the same data, service running');
  // If others can reach the service, a key in a log or on a shared screen would give them access.
  const shown = isLoopback(settings.host) ? key : '<an API key>';
  print(
    `  curl -s ${service.baseUrl}${targetOf(listSignals, { query: { riskLevel: 'HIGH' } })} -H '${settings.keyHeader}: ${shown}'`,
  );
  print(`  curl -s ${service.baseUrl}${verifyHashChain.path} -H '${settings.keyHeader}: ${shown}'`);
  print(`  ${service.baseUrl}${getOpenApi.path} and README.md`);
  return addsUp && signed;
}

/** `cas demo`: ingests the examples into a running service (or one that it starts) and checks the totals. */
export function demoCommand(program: Command, settings: SettingsReader): void {
  const demo = program
    .command('demo')
    .description('ingest the example triplets, wait for their signals and check that everything adds up')
    .action(async () => {
      const read = settings();
      const service = await startServiceIfNone(read, serviceUrl(read));
      try {
        const addsUp = await runDemo(read, service);
        print(addsUp ? '\nEverything added up.' : '\nSomething did not add up: see the lines marked NO.');
        process.exitCode = addsUp ? 0 : 1;
      } finally {
        await service.stop();
      }
    });
  evidenceCommand(demo, settings);
  patternsCommand(demo, settings);
  ordinaryCommand(demo, settings);
}
