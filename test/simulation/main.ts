import { installVirtualTime } from './virtual-time.ts';

// Before anything else is loaded, for some modules keep a clock or a timer when they are.
const realNow = performance.now.bind(performance);
const time = installVirtualTime();
const { simulate } = await import('./simulate.ts');
process.exit(await simulate(process.argv.slice(2), { time, realNow }));
