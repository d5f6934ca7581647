import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sourceDigest } from './source-digest.ts';

/**
 * `npm run build`, last step: writes the dashboard to `dist/web/site`, with compressed copies of the files. Nothing
 * is done when the sources are those of the last build.
 */

const root = path.resolve(import.meta.dirname, '../../..');
const site = path.join(root, 'dist', 'web', 'site');
const stamp = path.join(root, 'dist', 'web', 'site.sha256');
const digest = sourceDigest(root);
const isBuilt =
  existsSync(path.join(site, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

if (!isBuilt) {
  // Only now: loading the bundler takes longer than finding out that there is nothing to do.
  const [{ build }, { siteConfig }, { compressBelow }] = await Promise.all([
    import('vite'),
    import('./site-config.ts'),
    import('./compress.ts'),
  ]);
  const config = siteConfig(root);
  // Beside it first, so that a build that fails leaves the old files, and a service that starts meanwhile reads whole ones.
  const fresh = `${site}.${process.pid}`;
  mkdirSync(path.dirname(site), { recursive: true });
  await build({ ...config, build: { ...config.build, outDir: fresh } });
  compressBelow(fresh);
  rmSync(stamp, { force: true });
  rmSync(site, { recursive: true, force: true });
  renameSync(fresh, site);
  writeFileSync(stamp, digest);
}
