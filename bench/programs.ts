/** A benchmark: the program `bench/<name>.ts`. */
interface Program {
  /** What it measures, on one line. */
  readonly measures: string;
  readonly options: string;
  readonly nodeFlags?: readonly string[];
}

/** The CPU time of the process is then that of its only thread, garbage collection included. */
const ONE_THREAD = ['--single-threaded', '--single-threaded-gc'];

export const PROGRAMS: Readonly<Record<string, Program>> = {
  budget: {
    measures: 'CPU of an audit by thread and stage; next to another build',
    options: '[--rate 500] [--seconds 8] [--beside FOLDER]',
  },
  ingest: {
    measures: 'ingest over HTTP: latency, time until visible, CPU, disk, memory; distributed: by role',
    options:
      '[--rate 500] [--seconds 30] [--runs 2] [--warm-up 10] [--batch] [--profile FOLDER] [--distributed [--naive]]',
  },
  detect: {
    measures: 'detection alone, by length and on hostile texts; scans over HTTP',
    options: '[--http [--rate 500] [--seconds 15] [--runs 3]]',
    nodeFlags: ONE_THREAD,
  },
  reads: {
    measures: 'the dashboard’s reads, attestations and exports over a year of one customer',
    options: '[--requests 40] [--audits 1000000]',
  },
  evidence: {
    measures: 'growing a tree, verifying a ledger, an evidence package, proofs',
    options: '[--entries 100000]',
  },
  patterns: {
    measures: 'the fold, a search over a month, how soon a campaign is listed',
    options: '[fold|search|campaigns] [--signals 1000000] [--rate 1000] [--seconds 60]',
  },
};

const NAMES = Object.keys(PROGRAMS);
const WIDTH = Math.max(...NAMES.map((name) => name.length)) + 2;

/** The programs, one line each. */
export const listing = (): string =>
  [
    'usage: npm run bench -- <name> [options]',
    ...NAMES.map((name) => `  ${name.padEnd(WIDTH)}${PROGRAMS[name]!.measures}`),
  ].join('\n');

/** Rejects an unknown name. */
export function programOf(name: string): Program {
  if (!NAMES.includes(name)) throw new Error(`no benchmark is called "${name}"\n${listing()}`);
  return PROGRAMS[name]!;
}
