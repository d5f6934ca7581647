// The separately built parts that `npm start` runs, and which of them are older than their sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `sources`: folders and files that determine the output. */
const PARTS = [
  {
    name: 'programs',
    builder: 'cli/build/main.ts',
    sources: ['schemas', 'core', 'platform', 'records', 'detection', 'services', 'app', 'cli'],
    output: 'bundles/cli/main.js',
  },
  {
    name: 'page',
    builder: 'page/build/main.ts',
    sources: ['page', 'schemas', 'core'],
    output: 'page/verify.html',
  },
  {
    name: 'web',
    builder: 'web/build/main.ts',
    sources: ['web', 'schemas', 'core/evidence', 'page/browser', 'page/build'],
    output: 'web/site/index.html',
  },
];
const OF_ALL = ['cli/build', 'package.json', 'package-lock.json'];
const IGNORED = /\.test\.tsx?$|\.md$/;

function filesBelow(file) {
  if (!existsSync(file)) return [];
  const entries = readdirSync(file, { withFileTypes: true });
  return entries
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const below = path.join(file, entry.name);
      return entry.isDirectory() ? filesBelow(below) : [below];
    })
    .filter((name) => !IGNORED.test(name));
}

/** SHA-256 of each file's name and content, cached by path, because most files are sources of two parts. */
function digestOf(root, { sources }, digests) {
  const files = [...sources, ...OF_ALL].flatMap((name) => {
    const file = path.join(root, name);
    return path.extname(name) === '.json' ? [file] : filesBelow(file);
  });
  const digest = createHash('sha256');
  for (const file of [...new Set(files)].sort()) {
    if (!digests.has(file)) digests.set(file, createHash('sha256').update(readFileSync(file)).digest('hex'));
    digest.update(`${path.relative(root, file)}\0${digests.get(file)}\n`);
  }
  return digest.digest('hex');
}

const stampOf = (root, { name }) => path.join(root, 'dist', 'stamps', name);

/** The parts whose sources changed since their last build, each with the digest of its sources. */
export function stalePartsOf(root) {
  const digests = new Map();
  return PARTS.map((part) => ({ ...part, digest: digestOf(root, part, digests) })).filter((part) => {
    const stamp = stampOf(root, part);
    const isBuilt = existsSync(path.join(root, 'dist', part.output)) && existsSync(stamp);
    return !isBuilt || readFileSync(stamp, 'utf8') !== part.digest;
  });
}

/** Removes the mark of a part's last build, before the next one. */
export const unmark = (root, part) => rmSync(stampOf(root, part), { force: true });

/** Marks a part as built from the sources with this digest. */
export function mark(root, part) {
  const stamp = stampOf(root, part);
  mkdirSync(path.dirname(stamp), { recursive: true });
  writeFileSync(stamp, part.digest);
}
