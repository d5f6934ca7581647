import { Refusal } from '#platform/flow/refusal.ts';
import type { Documents } from '#platform/state/port.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';
import type { CorrelationRun } from '#records/correlations/correlation-run.ts';
import { noteRun, runsAt } from '#records/correlations/correlation-runs.ts';
import { withoutErasedPatterns } from '#records/correlations/remove-erased.ts';
import { failureOf } from './failures.ts';
import type { FoundPatterns, PatternSearch, PatternTask } from './find-patterns.ts';

/** Runs over history, with their progress in the state, so that any process can show it. */
export interface PatternRuns {
  /**
   * Starts a run with a given id and time, and resolves when it is saved. `ended` resolves when its end is saved too;
   * it never rejects. Throws TOO_MANY_AT_ONCE.
   */
  begin(
    customerId: string,
    run: CorrelationRun,
    task: PatternTask,
  ): Promise<{ readonly ended: Promise<void> }>;
  /** Gives up running searches. */
  stop(): Promise<void>;
}

interface RunDependencies {
  readonly documents: Documents;
  readonly warehouse: Warehouse;
  readonly search: PatternSearch;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Running searches per process: each may take as much memory as its thread has. */
const MAX_RUNNING = 1;
const NOTED_EVERY_MS = 5_000;
const RETRY_SECONDS = 5;

export function createPatternRuns(dependencies: RunDependencies): PatternRuns {
  const { documents, now } = dependencies;
  /** By customer, until there is a result. */
  const running = new Map<string, AbortController>();
  /** Runs with a result that is not saved yet. */
  const ending = new Set<Promise<void>>();

  return {
    begin: async (customerId, run, task) => {
      if (running.size >= MAX_RUNNING) throw tooMany();
      const stop = new AbortController();
      running.set(customerId, stop);
      try {
        const others = await runsAt(documents, customerId, now());
        if (others.some(({ status, id }) => status === 'RUNNING' && id !== run.id)) throw tooMany();
        if (!(await noteRun(documents, customerId, run, { isNew: true }))) throw new Refusal('INVALID_KEY');
      } catch (error) {
        running.delete(customerId);
        throw error;
      }
      const under = { customerId, run, task, gone: stop.signal, giveUp: () => stop.abort() };
      const ended = searched(dependencies, under)
        // Before the end is saved: a client that sees it may start the next run.
        .then((end) => {
          running.delete(customerId);
          return end();
        })
        .finally(() => ending.delete(ended));
      ending.add(ended);
      return { ended };
    },
    stop: async () => {
      for (const stop of running.values()) stop.abort();
      await Promise.all(ending);
    },
  };
}

const tooMany = (): Refusal => new Refusal('TOO_MANY_AT_ONCE', { retryAfterSeconds: RETRY_SECONDS });

interface RunInProgress {
  readonly customerId: string;
  readonly run: CorrelationRun;
  readonly task: PatternTask;
  readonly gone: AbortSignal;
  giveUp(): void;
}

/** Searches, and periodically notes that it is running. Resolves to a function that saves the end; neither rejects. */
async function searched(
  dependencies: RunDependencies,
  { customerId, run, task, gone, giveUp }: RunInProgress,
): Promise<() => Promise<void>> {
  const { search, logger } = dependencies;
  const note = noteOf(dependencies, customerId, run);
  let analyzedSignals = 0;
  const onProgress = (analyzed: number): void => {
    analyzedSignals = analyzed;
  };
  // By the clock, not by progress: an engine that sorts for a minute is not a dead process.
  const beat = setInterval(() => {
    void note({ analyzedSignals }).then((isKept) => (isKept ? undefined : giveUp()));
  }, NOTED_EVERY_MS);
  beat.unref();
  let change: Change;
  try {
    change = await completed(dependencies, task, await search.run(task, { gone, onProgress }));
  } catch (err) {
    logger.warn({ err }, 'history scan failed');
    change = { status: 'FAILED', analyzedSignals, failure: failureOf(err, gone) };
  } finally {
    clearInterval(beat);
  }
  return async () => void (await note(change));
}

type Change = Partial<CorrelationRun> & { readonly patterns?: FoundPatterns['patterns'] };

/** Removes what was erased during the run before anyone sees it. */
async function completed(
  { warehouse, now }: RunDependencies,
  task: PatternTask,
  { analyzedSignals, count, patterns }: FoundPatterns,
): Promise<Change> {
  const left = await withoutErasedPatterns(warehouse, task.customerId, patterns, task.minSignals);
  return {
    status: 'COMPLETED',
    analyzedSignals,
    patternCount: count,
    patternsLeftOut: count - patterns.length,
    completedAt: new Date(now()).toISOString(),
    patterns: left ?? patterns,
  };
}

/** Saves changes one after the other. False: the run is no longer needed. A note that fails is skipped. */
function noteOf({ documents, now, logger }: RunDependencies, customerId: string, started: CorrelationRun) {
  let current = started;
  let last: Promise<unknown> = Promise.resolve();
  return (change: Change): Promise<boolean> => {
    const { patterns, ...changed } = change;
    const noted = last.then(async () => {
      current = { ...current, ...changed, updatedAt: new Date(now()).toISOString() };
      const given = patterns === undefined ? {} : { patterns: { patterns } };
      return noteRun(documents, customerId, current, { isNew: false, ...given });
    });
    last = noted.catch((err: unknown) => {
      logger.warn({ err }, 'failed to save history scan progress');
    });
    return noted.catch(() => true);
  };
}
