import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compiledModule } from '#platform/config/package-root.ts';
import { print, printError } from '../cli/command/output.ts';
import { listing, programOf } from './programs.ts';

/** Runs one of the benchmarks: `npm run bench -- <name> [options]`; without a name it lists them. */
async function main([name, ...options]: readonly string[]): Promise<number> {
  if (name === undefined) {
    print(listing());
    return 0;
  }
  const { nodeFlags = [] } = programOf(name);
  const child = spawn(process.execPath, [...nodeFlags, compiledModule(`bench/${name}.ts`), ...options], {
    stdio: 'inherit',
  });
  // Ctrl-C reaches the program too; it stops what it started.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  printError((error as Error).message);
  process.exitCode = 1;
}
