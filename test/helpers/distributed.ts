import { readFileSync } from 'node:fs';
import { type CasProcess, runCas, startCas } from './cas-process.ts';

export type Role = 'api' | 'analyzer' | 'sink' | 'correlator';

export interface DistributedOptions {
  /** Settings of the servers and the keys, the same for every process. */
  readonly settings: Readonly<Record<string, string>>;
  /** Settings that differ by role, for example its server account. */
  readonly roleSettings?: Partial<Record<Role | 'migrate', Readonly<Record<string, string>>>>;
  readonly analyzers?: number;
  readonly sinks?: number;
}

/** The service as one process per role (distributed). */
export interface DistributedService {
  readonly url: string;
  readonly internalSecret: string;
  /** Processes of a role that this service's `stop` and `killTree` have not stopped. */
  of(role: Role): readonly CasProcess[];
  /** Starts one more process of a role: the API on a free port, the others on a port of their choice. */
  startOne(role: Role, extra?: Readonly<Record<string, string>>): Promise<CasProcess>;
  /** SIGTERM to all; resolves to 0, or to the first other exit code. */
  stop(): Promise<number | null>;
  killTree(): Promise<void>;
}

/** These tests use one URL for everything; test/e2e/admin-listener.test.ts tests separate ports. */
const ONE_PORT = { INTERNAL_ON_PUBLIC: 'true' };

/** Runs `cas migrate`, then the API, two analyzers, two sinks and a correlator; resolves when all are ready. */
export async function startDistributed(options: DistributedOptions): Promise<DistributedService> {
  const { settings, roleSettings = {}, analyzers = 2, sinks = 2 } = options;
  const migrated = await runCas(['migrate'], { ...settings, ...roleSettings.migrate });
  if (migrated.code !== 0) throw new Error(`cas migrate failed (exit ${migrated.code}):\n${migrated.output}`);
  const running = new Map<CasProcess, Role>();
  const startOne: DistributedService['startOne'] = async (role, extra = {}) => {
    const own = { ...roleSettings[role], ...extra };
    const started = await startCas([role], { ...ONE_PORT, ...settings, ...own, PORT: '0' });
    running.set(started, role);
    void started.ended.then(() => running.delete(started));
    return started;
  };
  const killTree = async (): Promise<void> => {
    await Promise.all([...running.keys()].map((one) => one.killTree()));
  };
  try {
    await Promise.all(Array.from({ length: sinks }, () => startOne('sink')));
    await Promise.all(Array.from({ length: analyzers }, () => startOne('analyzer')));
    await startOne('correlator');
    const api = await startOne('api');
    return {
      url: api.url,
      internalSecret: readFileSync(settings.INTERNAL_SECRET_FILE ?? '', 'utf8').trim(),
      of: (role) => [...running].flatMap(([one, its]) => (its === role ? [one] : [])),
      startOne,
      stop: async () => {
        const codes = await Promise.all([...running.keys()].map((one) => one.stop()));
        const bad = codes.find((code) => code !== 0);
        return bad === undefined ? 0 : bad;
      },
      killTree,
    };
  } catch (error) {
    await killTree();
    throw error;
  }
}
