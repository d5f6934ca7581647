import { installVirtualTime } from './virtual-time.ts';

const args = process.argv.slice(2);

async function simulation(): Promise<number> {
  // Before anything else is loaded, for some modules keep a clock or a timer when they are.
  const realNow = performance.now.bind(performance);
  const time = installVirtualTime();
  const { simulate } = await import('./simulate.ts');
  return simulate(args, { time, realNow });
}

async function mutants(): Promise<number> {
  const { runMutants } = await import('./mutants/run-mutants.ts');
  return runMutants(args.filter((arg) => arg !== '--mutants'));
}

// Not by `exit`: what was written to a pipe would be cut off.
process.exitCode = await (args.includes('--mutants') ? mutants() : simulation());
