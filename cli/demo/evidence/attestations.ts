import { getCoverage, listAttestations } from '#schemas/endpoints.ts';
import { coveringCheckpoint, type Data, type Desk, dataOf, heading, listOf } from '../steps/desk.ts';

/** A control for which something is open. */
interface OpenControl {
  readonly id: string;
  readonly framework: string;
  readonly reason: string;
}

async function controlsOf({ client }: Desk, framework: string): Promise<Data[]> {
  return listOf(await client.call(listAttestations, { query: { framework } }));
}

/** What the stored signals say of each control of a framework; returns one to which something can be done. */
export async function attest(desk: Desk, framework: string, signalId: string): Promise<OpenControl> {
  heading(`2. What the signals say of ${framework}`);
  const { client, show } = desk;
  await coveringCheckpoint(desk);
  const controls = await controlsOf(desk, framework);
  const coverage = dataOf(await client.call(getCoverage, { query: { framework } }));
  const byStatus = Object.entries(coverage.byStatus as Record<string, number>);
  const counts = byStatus.map(([status, count]) => `${count} ${status}`).join(', ');
  show(
    `${controls.length} controls: ${counts}; evidence of ${String(coverage.coveragePercent)} %`,
    controls.length > 0 && controls.length === coverage.totalControls,
  );
  const open = controls.find(
    ({ status, sampleSignalIds }) => status === 'OPEN' && (sampleSignalIds as string[]).includes(signalId),
  );
  show(
    `${String(open?.controlId)} (${String(open?.title)}) is ${String(open?.status)}: ${String(open?.reason)}`,
    open !== undefined,
  );
  return { id: String(open?.controlId), framework, reason: String(open?.reason) };
}

/** That a control tells of what was done about one of its signals. */
export async function showProgress(desk: Desk, { id, framework, reason }: OpenControl): Promise<void> {
  await coveringCheckpoint(desk);
  const now = (await controlsOf(desk, framework)).find(({ controlId }) => controlId === id);
  desk.show(`the attestation of ${id} has noticed: ${String(now?.reason)}`, now?.reason !== reason);
}
