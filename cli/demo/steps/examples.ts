import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import { packageRoot } from '#platform/config/package-root.ts';
import type { Client } from '../../command/client.ts';
import { type Ingested, ingestLines } from './ingest.ts';
import { countSignals } from './report.ts';

const STORED_WITHIN_MS = 120_000;
const POLL_MS = 250;

const progress = (title: string, total: number): SingleBar => {
  const bar = new SingleBar(
    {
      format: `${title} [{bar}] {value}/{total}  {duration_formatted}`,
      hideCursor: true,
      noTTYOutput: true,
      notTTYSchedule: 2_000,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0);
  return bar;
};

async function waitUntilStored(client: Client, expected: number): Promise<void> {
  const bar = progress('stored  ', expected);
  const deadline = Date.now() + STORED_WITHIN_MS;
  try {
    for (;;) {
      const stored = await countSignals(client);
      bar.update(stored);
      if (stored >= expected) return;
      if (Date.now() > deadline)
        throw new Error(`only ${stored} of ${expected} signals were stored in ${STORED_WITHIN_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    bar.stop();
  }
}

/** The example triplets, a line of JSON each. */
export const exampleLines = (): string[] =>
  readFileSync(path.join(packageRoot(), 'examples', 'triplets.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Ingests them and waits until the signal of each is stored. */
export async function ingestExamples(client: Client, lines: readonly string[]): Promise<Ingested[]> {
  const bar = progress('accepted', lines.length);
  const ingested = await ingestLines(client, lines, randomUUID(), () => bar.increment()).finally(() =>
    bar.stop(),
  );
  await waitUntilStored(client, lines.length);
  return ingested;
}
