import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';

/** Engines for platforms that were not published with this version. */
const UNPUBLISHED = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu'].map(
  (platform) => `node_modules/@chdb/lib-${platform}`,
);

test('every package in the lock file has a digest, for every platform', () => {
  const { packages } = JSON.parse(readFileSync(path.join(packageRoot(), 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>>;
  };
  const installed = Object.entries(packages).filter(
    ([name, { link, inBundle }]) => name.includes('node_modules/') && link !== true && inBundle !== true,
  );
  const unchecked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(installed.length).toBeGreaterThan(300);
  expect(unchecked.map(([name]) => name)).toEqual(UNPUBLISHED);
});
