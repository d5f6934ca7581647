import { installVirtualTime } from './virtual-time.ts';

const args = process.argv.slice(2);

async function simulation(): Promise<number> {
  // First, because some modules capture a clock or a timer when they load.
  const realNow = performance.now.bind(performance);
  const time = installVirtualTime();
  const { simulate } = await import('./simulate.ts');
  return simulate(args, { time, realNow });
}

async function mutants(): Promise<number> {
  const { runMutants } = await import('./mutants/run-mutants.ts');
  return runMutants(args.filter((arg) => arg !== '--mutants'));
}

// Not `exit`, which would truncate output to a pipe.
process.exitCode = await (args.includes('--mutants') ? mutants() : simulation());
