import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPage } from './build-page.ts';

/**
 * `npm run build`, third step: writes `dist/page/verify.html`, which goes into every evidence package, or to the file
 * given as argument.
 */

const root = path.resolve(import.meta.dirname, '../../..');
const file = process.argv[2] ?? path.join(root, 'dist', 'page', 'verify.html');
const page = await buildPage(root);
mkdirSync(path.dirname(file), { recursive: true });
// Atomic: a service that starts meanwhile reads the old page or the new one.
writeFileSync(`${file}.${process.pid}`, page);
renameSync(`${file}.${process.pid}`, file);
