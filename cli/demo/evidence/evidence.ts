import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { listSigningKeys } from '#schemas/endpoints.ts';
import { createClient, internalClient, serviceUrl } from '../../command/client.ts';
import { print } from '../../command/output.ts';
import type { SettingsReader } from '../../command/settings.ts';
import { createDemoCustomer } from '../steps/customer.ts';
import { type Desk, heading, listOf } from '../steps/desk.ts';
import { startServiceIfNone } from '../steps/service.ts';
import { attest, showProgress } from './attestations.ts';
import { inviteAuditor } from './auditor.ts';
import { eraseForPerson } from './erasure.ts';
import { settleIncident } from './incident.ts';
import { showOnLedger } from './ledger.ts';
import { forge, takePackage } from './package.ts';
import { breachPolicy } from './policy.ts';
import { ingestDay } from './signals.ts';

const FRAMEWORK = 'GDPR';
const OTHER_FRAMEWORK = 'SOC2';

/** A customer of its own, so that the ledger tells of this day and nothing else. */
async function openDesk(settings: Settings, baseUrl: string, show: Desk['show']): Promise<Desk> {
  const began = new Date().toISOString();
  const { customerId, keyId, key } = await createDemoCustomer(internalClient(settings), `Evidence ${began}`);
  const headers = { [settings.keyHeader]: key };
  const client = createClient(baseUrl, headers);
  const keys = listOf(await client.call(listSigningKeys));
  // Keys that were replaced stay in the list.
  const vkey = String(keys.find(({ validTo }) => validTo === null)?.vkey);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cas-evidence-'));
  writeFileSync(path.join(folder, 'vkey.txt'), `${vkey}\n`);
  print(`Customer ${customerId}, made for this day.`);
  print(`What is kept goes to ${folder}, first of all the key by which the service signs:`);
  print(vkey);
  const made = { what: 'the API key', entries: [{ kind: 'KEY_EVENT', id: `${keyId}:1` }] } as const;
  return { client, headers, folder, vkey, began, steps: [made], show };
}

async function workDay(settings: Settings, baseUrl: string): Promise<boolean> {
  const verdicts: boolean[] = [];
  const show: Desk['show'] = (what, holds) => {
    verdicts.push(holds);
    print(`  ${holds ? 'yes' : 'NO '}  ${what}`);
  };
  const desk = await openDesk(settings, baseUrl, show);
  const { forIncident, forErasure } = await ingestDay(desk, FRAMEWORK);
  const control = await attest(desk, FRAMEWORK, forIncident);
  await settleIncident(desk, forIncident);
  await showProgress(desk, control);
  await breachPolicy(desk, FRAMEWORK);
  heading(`5. The evidence for ${FRAMEWORK} as a package`);
  const before = await takePackage(desk, FRAMEWORK, 'noon.zip');
  await forge(desk, before, 'forged.zip');
  await eraseForPerson(desk, forErasure, before);
  await inviteAuditor(desk, FRAMEWORK, OTHER_FRAMEWORK);
  heading('9. Every step is on the ledger, as the package of the evening has it');
  const expected = [...desk.steps];
  const { file } = await takePackage(desk, FRAMEWORK, 'evening.zip');
  await showOnLedger({ ...desk, steps: expected }, file);
  const refused = verdicts.filter((holds) => !holds).length;
  print(
    `\n${verdicts.length - refused} of ${verdicts.length} statements hold. What was kept: ${desk.folder}`,
  );
  return refused === 0;
}

/** `cas demo evidence`: a working day of who answers for the evidence, over HTTP against a running service. */
export function evidenceCommand(demo: Command, settings: SettingsReader): void {
  demo
    .command('evidence')
    .description(
      'the day of a clerk who answers for the evidence: attestations, an incident, a policy, packages, an erasure, an auditor',
    )
    .action(async () => {
      const read = settings();
      const service = await startServiceIfNone(read, serviceUrl(read));
      try {
        const isProved = await workDay(read, service.baseUrl);
        print(isProved ? '\nEverything was shown.' : '\nSomething was not: see the lines marked NO.');
        process.exitCode = isProved ? 0 : 1;
      } finally {
        await service.stop();
      }
    });
}
