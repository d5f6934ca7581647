import { parseArgs } from 'node:util';
import { packageRoot } from '#platform/config/package-root.ts';
import { describeRefused, refusedTexts } from './refused.ts';
import { readSources } from './sources.ts';

/** `node dist/test/vocabulary/list-refused.js [--root FOLDER]`: every text with an old word. */
const { values } = parseArgs({ options: { root: { type: 'string', default: packageRoot() } } });
const refused = refusedTexts(readSources(values.root));
for (const one of refused) process.stdout.write(`${describeRefused(one)}\n`);
process.stdout.write(`${refused.length} texts\n`);
