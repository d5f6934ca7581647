import path from 'node:path';
import { type LocalPart, startLocalPart } from '../../deploy/local/local-part.ts';
import { PART_NAMES, type PartName } from '../../deploy/local/part-names.ts';
import { PARTS } from '../../deploy/local/parts.ts';
import { announcePart } from './addresses.ts';
import { holdPartSet } from './part-set.ts';
import { makeRunFolder } from './run-folder.ts';

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Starts every real part that can be had and announces its address to the tests. A part that cannot be had has its
 * tests skipped, or, with REQUIRE_REAL_PARTS=1 or CI=true, breaks the run off at once.
 */
export default async function startParts(): Promise<void> {
  const required = process.env.REQUIRE_REAL_PARTS === '1' || process.env.CI === 'true';
  const folder = makeRunFolder();

  const startOne = async (name: PartName): Promise<LocalPart[]> => {
    const started = Date.now();
    try {
      const part = await startLocalPart(PARTS[name], { folder: path.join(folder, name), report: say });
      announcePart(name, { address: part.address });
      // Addresses carry passwords; the process id is enough to find the part.
      say(`real part ${name}: started in ${Date.now() - started} ms, process ${part.pid}`);
      return [part];
    } catch (error) {
      const reason = (error as Error).message;
      // Parts that are still starting end with this process.
      if (required) throw new Error(`real parts are required (REQUIRE_REAL_PARTS=1 or CI=true): ${reason}`);
      announcePart(name, { missing: reason.split('\n', 1)[0] ?? '' });
      say(`real part ${name}: its tests are SKIPPED because ${reason}`);
      return [];
    }
  };
  const parts = await Promise.all(PART_NAMES.map(startOne));
  holdPartSet({ folder, parts: parts.flat() });
}
