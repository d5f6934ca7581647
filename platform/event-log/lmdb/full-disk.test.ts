import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '#jest';
import { compiledModule } from '#platform/config/package-root.ts';
import { TOPICS, TRIPLETS } from '#schemas/topics.ts';
import { openEmbeddedLog } from './event-log.ts';
import type { FullDiskReport } from './testing/full-disk-appender.ts';

const LIMIT_KIB = 3_000;

test('when the file cannot grow, appends fail as uncertain, the process survives and nothing acknowledged is lost', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'event-log-full-'));
  try {
    // A file-size limit simulates a full disk; without the trap the kernel would end the process instead.
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `trap '' XFSZ; ulimit -f ${LIMIT_KIB}; exec "$@"`,
      'bash',
      process.execPath,
      compiledModule('platform/event-log/lmdb/testing/full-disk-appender.ts'),
      folder,
    ]);
    const { stored, failures } = JSON.parse(stdout) as FullDiskReport;
    expect(stored.length).toBeGreaterThan(5);
    expect(failures.length).toBeGreaterThan(5);
    expect(failures.every((certain) => !certain)).toBe(true);

    const log = await openEmbeddedLog({ path: folder, topics: TOPICS });
    for (const { partition, offset, byte } of stored) {
      const record = await log.read(TRIPLETS.name, partition, offset);
      expect(record?.value[0]).toBe(byte);
    }
    const { partition } = stored[0]!;
    expect((await log.bounds(TRIPLETS.name, partition)).end).toBe(stored.at(-1)!.offset + 1);
    await log.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
