import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

interface Bundle {
  readonly script: string;
  /** For each bundled library, by name: name, version and licence, and the text that must accompany it. */
  readonly licences: readonly string[];
}

const ENTRY = 'page/browser/main.ts';
/** Replaces the file in core with the same name, which needs `node:crypto`. */
const NATIVE_CRYPTO = 'page/browser/native-crypto.ts';

/**
 * Bundles the page's program into one text: a function of the sources and the lock file. `root`: the package's folder.
 */
export async function bundlePage(root: string): Promise<Bundle> {
  const bundle = await rolldown({
    input: path.join(root, ENTRY),
    cwd: root,
    platform: 'browser',
    // A slow machine is no fault of the build.
    checks: { bundlerTimings: false },
    resolve: { conditionNames: ['cas-source', 'browser', 'import', 'default'] },
    transform: { target: 'es2023', inject: { Buffer: ['buffer/index.js', 'Buffer'] } },
    plugins: [
      {
        name: 'browser',
        resolveId: (name) => {
          if (name.endsWith('/native-crypto.ts')) return path.join(root, NATIVE_CRYPTO);
          if (name.startsWith('node:')) throw new Error(`${name} is not there in a browser`);
          return null;
        },
      },
    ],
    onLog: (level, { message }) => {
      if (level === 'warn') throw new Error(message);
    },
  });
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
    const [{ code, modules }, ...others] = output;
    if (others.length > 0) throw new Error('the page is one file, and its program fell into several');
    return { script: code.trim(), licences: licencesOf(Object.keys(modules)) };
  } finally {
    await bundle.close();
  }
}

const MODULES = `${path.sep}node_modules${path.sep}`;

/** For each library of the modules: name, version and licence, and the text that must accompany it. */
export function licencesOf(modules: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of modules) {
    const at = file.lastIndexOf(MODULES);
    if (at < 0) continue;
    const [scope = '', name = ''] = file.slice(at + MODULES.length).split(path.sep);
    const library = scope.startsWith('@') ? path.join(scope, name) : scope;
    folders.add(path.join(file.slice(0, at), MODULES, library));
  }
  return [...folders].map(licenceOf).sort();
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => one.toUpperCase().startsWith('LICENSE'));
  // Works in the public domain require no accompanying text.
  if (file === undefined && license === 'Unlicense') return `${name} ${version} (${license})`;
  if (file === undefined) throw new Error(`${name} comes without the text of its licence`);
  const text = readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim();
  return `${name} ${version} (${license})\n\n${text}`;
}
