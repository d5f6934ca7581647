import { parseArgs } from 'node:util';
import { packageRoot } from '#platform/config/package-root.ts';
import { type DrawKind, drawFrom } from './sample.ts';

/**
 * `node dist/test/vocabulary/draw.js --seed 41 --count 60 --kind comments`: a random sample, each text with its
 * location.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    kind: { type: 'string', default: 'comments' },
    root: { type: 'string', default: packageRoot() },
  },
});
const kinds: readonly string[] = ['comments', 'errors-and-logs', 'dashboard'];
if (!kinds.includes(values.kind)) throw new Error(`--kind is one of ${kinds.join(', ')}`);
const { of, drawn } = drawFrom(values.root, {
  kind: values.kind as DrawKind,
  seed: Number(values.seed),
  count: Number(values.count),
});
const print = (line: string): boolean => process.stdout.write(`${line}\n`);
print(`seed ${values.seed}: ${drawn.length} of ${of} ${values.kind}`);
for (const [at, { file, line, text }] of drawn.entries()) print(`${at + 1}. ${file}:${line} ${text}`);
