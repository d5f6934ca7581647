import type { Session } from 'chdb';
import { EngineError } from './embedded-error.ts';

/** Settings of one request by name; `database` is carried along as if it were one. */
export type RequestSettings = ReadonlyMap<string, string>;

/** A session while one request has it. */
export interface Lease {
  readonly session: Session;
  /**
   * Nobody gets the session again: its statement changed it (`SET`, `USE`) or failed while it was read, after which
   * the engine keeps the statement's memory until its session closes.
   */
  discard(): void;
  /** Stops the statement that runs in the session now, if any; it then fails with code 394. Discards. */
  stop(): void;
}

export interface SessionPool {
  /**
   * Runs `work` on a session of its own that holds exactly these settings. Waits for a free session in order of
   * arrival. Throws code 202 when too many wait already.
   */
  use<T>(settings: RequestSettings, work: (lease: Lease) => Promise<T>): Promise<T>;
  close(): void;
}

/** How sessions come about. The label is on every statement of the session, as its `log_comment`. */
export interface SessionSource {
  open(label: string): Session;
  stop(label: string): Promise<void>;
}

interface Pooled {
  readonly label: string;
  readonly session: Session;
  settings: RequestSettings;
}

const NO_SETTINGS: RequestSettings = new Map();

/**
 * Sessions of the one engine. A session runs one statement at a time, several run side by side. The engine keeps
 * a setting for all later statements of its session, so a session remembers what it holds and is brought to the
 * next request's settings, no more and no less, before that one runs.
 */
export function createSessionPool(
  name: string,
  source: SessionSource,
  limits: { size: number; waiting: number },
): SessionPool {
  const idle: Pooled[] = [];
  const waiting: ((pooled: Pooled) => void)[] = [];
  let count = 0;
  let opened = 0;

  const fresh = (): Pooled => {
    opened++;
    const label = `${name}-${opened}`;
    return { label, session: source.open(label), settings: NO_SETTINGS };
  };
  const acquire = async (): Promise<Pooled> => {
    const free = idle.pop();
    if (free) return free;
    if (count < limits.size) {
      const pooled = fresh();
      count++;
      return pooled;
    }
    if (waiting.length >= limits.waiting) {
      throw new EngineError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many statements wait for a session');
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const release = (pooled: Pooled): void => {
    const next = waiting.shift();
    if (next) next(pooled);
    else idle.push(pooled);
  };

  return {
    async use(settings, work) {
      let pooled = await acquire();
      let discarded = false;
      let stopping: Promise<void> | null = null;
      const replace = (): void => {
        pooled.session.close();
        pooled = fresh();
      };
      try {
        try {
          await align(pooled, settings);
        } catch (error) {
          // Either these settings are wrong, or what the session holds forbids to change them (`readonly`).
          const wasUsed = pooled.settings !== NO_SETTINGS;
          replace();
          if (!wasUsed) throw error;
          await align(pooled, settings);
        }
        const { session, label } = pooled;
        return await work({
          session,
          discard: () => {
            discarded = true;
          },
          stop: () => {
            stopping = source.stop(label);
            discarded = true;
          },
        });
      } finally {
        // A stop that is still under way would hit the next request's statement.
        if (stopping) await stopping;
        if (discarded) replace();
        release(pooled);
      }
    },
    close() {
      for (const { session } of idle.splice(0)) session.close();
    },
  };
}

async function align(pooled: Pooled, wanted: RequestSettings): Promise<void> {
  const database = wanted.get('database') ?? 'default';
  if ((pooled.settings.get('database') ?? 'default') !== database) {
    await pooled.session.queryAsync(`USE \`${identifier(database, 81, 'UNKNOWN_DATABASE')}\``);
  }
  const changes: string[] = [];
  for (const [name, value] of wanted) {
    if (name !== 'database' && pooled.settings.get(name) !== value) {
      changes.push(`${identifier(name, 115, 'UNKNOWN_SETTING')} = ${quote(value)}`);
    }
  }
  for (const name of pooled.settings.keys()) {
    if (name !== 'database' && !wanted.has(name)) changes.push(`${name} = DEFAULT`);
  }
  // One SET is refused as a whole, so that on an error the session still holds what it held.
  if (changes.length > 0) await pooled.session.queryAsync(`SET ${changes.join(', ')}`);
  pooled.settings = wanted;
}

function identifier(name: string, code: number, type: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new EngineError(code, type, 'A name in the address is not an identifier');
  return name;
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
