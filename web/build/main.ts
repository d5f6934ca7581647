import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { compressBelow } from './compress.ts';
import { siteConfig } from './site-config.ts';

/** A step of `npm run bundle`: writes the dashboard to `dist/web/site`, with compressed copies of the files. */

const root = path.resolve(import.meta.dirname, '../../..');
const site = path.join(root, 'dist', 'web', 'site');
const config = siteConfig(root);
// Written next to it first, so that a failed build leaves the old files, and a service that starts meanwhile reads
// complete ones.
const fresh = `${site}.${process.pid}`;
mkdirSync(path.dirname(site), { recursive: true });
await build({ ...config, build: { ...config.build, outDir: fresh } });
await compressBelow(fresh);
rmSync(site, { recursive: true, force: true });
renameSync(fresh, site);
