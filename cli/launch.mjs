#!/usr/bin/env node
// `npm start`, `npm run demo` and `npm run cas`: runs the bundled command line; `--build` builds changed parts first.
// Plain JavaScript without packages, so that it can run before anything is installed or built.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stalePartsOf } from './build/parts.mjs';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = '../dist/bundles/cli/main.js';

/** In a separate process: otherwise the service would keep the bundler's memory. */
function build() {
  const isTerminal = process.stdout.isTTY === true;
  const from = performance.now();
  if (isTerminal) process.stdout.write('\n  Building… ');
  const { status, signal } = spawnSync(process.execPath, [pathOf('./build/build.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (signal !== null || status !== 0) process.exit(signal === 'SIGINT' ? 130 : 1);
  if (isTerminal) process.stdout.write(`done (${Math.ceil((performance.now() - from) / 1000)} s)\n`);
}

if (process.argv[2] === '--build') {
  process.argv.splice(2, 1);
  if (!process.env.CAS_BUILT && stalePartsOf(pathOf('..')).length > 0) build();
}
if (existsSync(pathOf(program))) await import(program);
else {
  process.stderr.write('cas: the program is not built; run "npm run build" first\n');
  process.exitCode = 1;
}
