import { readFileSync } from 'node:fs';
import { type CasProcess, runCas, startCas } from './cas-process.ts';

export interface DistributedOptions {
  /** The settings of the parts and the keys, the same for every process. */
  readonly settings: Readonly<Record<string, string>>;
  readonly analyzers?: number;
  readonly sinks?: number;
  /** Settings of the tests, for every process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The service as one process per role, on real parts. */
export interface DistributedService {
  readonly url: string;
  readonly internalSecret: string;
  readonly api: CasProcess;
  readonly analyzers: readonly CasProcess[];
  readonly sinks: readonly CasProcess[];
  /** SIGTERM to all; resolves to 0, or to the first other exit code. */
  stop(): Promise<number | null>;
  killTree(): Promise<void>;
}

/** One more process of a role, on free ports. */
export const startOne = (
  role: 'api' | 'analyzer' | 'sink',
  { settings, environment = {} }: DistributedOptions,
): Promise<CasProcess> => startCas([role], { ...settings, PORT: '0', HEALTH_PORT: '0', ...environment });

/** `cas migrate`, then the API, two analyzers and two sinks; resolves when all are ready. */
export async function startDistributed(options: DistributedOptions): Promise<DistributedService> {
  const { settings, analyzers: analyzerCount = 2, sinks: sinkCount = 2 } = options;
  const migrated = await runCas(['migrate'], settings);
  if (migrated.code !== 0) throw new Error(`cas migrate failed (exit ${migrated.code}):\n${migrated.output}`);
  const many = (role: 'analyzer' | 'sink', count: number) =>
    Promise.all(Array.from({ length: count }, () => startOne(role, options)));
  const sinks = await many('sink', sinkCount);
  const analyzers = await many('analyzer', analyzerCount);
  const api = await startOne('api', options);
  const all = [api, ...analyzers, ...sinks];
  return {
    url: api.url,
    internalSecret: readFileSync(settings.INTERNAL_SECRET_FILE ?? '', 'utf8').trim(),
    api,
    analyzers,
    sinks,
    stop: async () => {
      const codes = await Promise.all(all.map((one) => one.stop()));
      const bad = codes.find((code) => code !== 0);
      return bad === undefined ? 0 : bad;
    },
    killTree: async () => {
      await Promise.all(all.map((one) => one.killTree()));
    },
  };
}
