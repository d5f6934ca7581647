// Adds entries that npm omits from package-lock.json when a registry lacks some platform's build of an optional
// package, because `npm ci` would reject the file. Also removes the registry's URLs. Run after `npm install`.
import fs from 'node:fs';

const SYSTEMS = [
  'openharmony',
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'netbsd',
  'openbsd',
  'sunos',
  'aix',
];
const PROCESSORS = ['arm64', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'arm'];

const file = 'package-lock.json';
const lock = JSON.parse(fs.readFileSync(file, 'utf8'));
const packages = lock.packages;
let added = 0;

for (const [parent, entry] of Object.entries({ ...packages })) {
  // For a workspace this is its folder, not a URL.
  if (!entry.link) delete packages[parent].resolved;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (packages[key] || packages[`${parent}/node_modules/${name}`]) continue;
    const build = name.split('/').pop();
    const os = SYSTEMS.find((word) => build.includes(word));
    const cpu = PROCESSORS.find((word) => build.includes(word));
    if (!os || !/^\d/.test(version)) continue;
    packages[key] = {
      version,
      ...(cpu ? { cpu: [cpu] } : {}),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
fs.writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} entries added\n`);
