import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import { DETECTOR_NAMES } from '#schemas/detector-names.ts';
import { DETECTORS } from './detectors.ts';

const FOLDER = path.join(packageRoot(), 'core/detect/find/detectors');

/** The exports of the folder that have the shape of a detector. */
async function detectorsOfFolder(): Promise<string[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const names: string[] = [];
  for (const file of files.filter((each) => each !== 'contract.ts')) {
    const exported = Object.values((await import(`../detectors/${file}`)) as Record<string, unknown>);
    for (const one of exported) if (isDetector(one)) names.push(one.name);
  }
  return names.sort();
}

const isDetector = (one: unknown): one is { readonly name: string } =>
  typeof one === 'object' && one !== null && 'name' in one && 'version' in one;

test('every detector in the folder runs once, under a unique name', async () => {
  const names = DETECTORS.map(({ name }) => name).sort();
  expect(names).toEqual(await detectorsOfFolder());
  expect(new Set(names).size).toBe(names.length);
});

test("every detector can be named in a sandbox's settings (schemas/detector-names.ts)", () => {
  expect(DETECTOR_NAMES).toEqual(DETECTORS.map(({ name }) => name).sort());
});
