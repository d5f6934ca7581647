import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { createPackage, downloadPackage, getPackage } from '#schemas/endpoints.ts';
import {
  coveringCheckpoint,
  type Desk,
  dataOf,
  described,
  refusalOf,
  tell,
  untilThere,
} from '../steps/desk.ts';
import { download, verifyOffline } from './offline.ts';

export interface TakenPackage {
  readonly id: string;
  readonly file: string;
}

/**
 * A package of everything up to now, downloaded and checked with no service. It holds what is below its checkpoint and
 * within its period, so it is asked for once the checkpoint covers the day, and with the hash chain.
 */
export async function takePackage(desk: Desk, framework: string, name: string): Promise<TakenPackage> {
  const { client, show, steps, began } = desk;
  await coveringCheckpoint(desk);
  const asked = dataOf(
    await client.call(createPackage, {
      body: {
        framework,
        // Whole days: a service whose clock is some seconds off writes nothing outside of them.
        startDate: began.slice(0, 10),
        endDate: new Date().toISOString().slice(0, 10),
        includeIncidents: true,
        includeHashChain: true,
      },
    }),
  );
  const id = String(asked.id);
  const ready = await untilThere('the package', async () => {
    const now = dataOf(await client.call(getPackage, { params: { id } }));
    if (now.status === 'FAILED') throw new Error(`package ${id} failed: ${String(now.failure)}`);
    return now.status === 'READY' ? now : null;
  });
  const file = await download(desk, targetOf(downloadPackage, { params: { id } }), name);
  steps.push({
    what: `the package ${name}`,
    entries: [{ kind: 'EVIDENCE_EVENT', id: `package:${id}` }],
  });
  tell(`package ${id}, ${String(ready.sizeBytes)} bytes, downloaded as ${name}`);
  show('it verifies with the service’s key alone', await verifyOffline(desk, file));
  return { id, file };
}

/** That a package in which a digit was changed is not taken for one. */
export async function forge(desk: Desk, { file }: TakenPackage, name: string): Promise<void> {
  const forged = path.join(desk.folder, name);
  const bytes = readFileSync(file);
  // The risk of a signal is made smaller; the length stays, so that the archive is whole.
  const at = bytes.indexOf('"riskLevel":"HIGH"');
  if (at < 0) throw new Error('the package holds no HIGH signal');
  bytes.write('"riskLevel":"LOW" ', at);
  writeFileSync(forged, bytes);
  desk.show('a copy in which a HIGH signal was made LOW is refused', !(await verifyOffline(desk, forged)));
}

/** That a package cannot be had any more, once something that it holds was erased. */
export async function showGone({ client, show }: Desk, { id }: TakenPackage): Promise<void> {
  const refusal = await refusalOf(client.call(downloadPackage, { params: { id } }));
  show(`the package that holds it is handed out no more: ${described(refusal)}`, refusal?.statusCode === 404);
}
