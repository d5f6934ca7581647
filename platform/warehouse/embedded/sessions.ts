import type { Session } from 'chdb';
import { EngineError } from './error.ts';

/** Settings of one request by name; `database` is treated as a setting. */
export type RequestSettings = ReadonlyMap<string, string>;

/** A session leased to one request. */
export interface Lease {
  readonly session: Session;
  /**
   * The session must not be reused: its statement changed it (`SET`, `USE`), or failed while its result was read, after
   * which the engine keeps the statement's memory until the session closes.
   */
  discard(): void;
  /** Stops the statement running in the session, if any; it fails with code 394. Discards the session. */
  stop(): void;
}

/** Opens sessions. Every statement of a session has its label as `log_comment`. */
export interface SessionSource {
  open(label: string): Session;
  stop(label: string): Promise<void>;
}

/** Maximum number of sessions, and of statements waiting for one. */
interface PoolLimits {
  readonly size: number;
  readonly waiting: number;
}

interface Pooled {
  label: string;
  session: Session;
  settings: RequestSettings;
}

const NO_SETTINGS: RequestSettings = new Map();

/**
 * Sessions of the one engine. A session runs one statement at a time; several sessions run concurrently. The engine
 * keeps a setting for all later statements of its session, so the pool tracks each session's settings and changes them
 * to exactly those of the next request before it runs.
 */
export class SessionPool {
  readonly #name: string;
  readonly #source: SessionSource;
  readonly #limits: PoolLimits;
  readonly #idle: Pooled[] = [];
  readonly #waiting: ((pooled: Pooled) => void)[] = [];
  /** Number of open sessions, and of all sessions ever created. */
  #count = 0;
  #opened = 0;

  constructor(name: string, source: SessionSource, limits: PoolLimits) {
    this.#name = name;
    this.#source = source;
    this.#limits = limits;
  }

  /**
   * Runs `work` on an exclusive session with exactly these settings. Waits for a free session in order of arrival.
   * Throws code 202 if too many are waiting already.
   */
  async use<T>(settings: RequestSettings, work: (lease: Lease) => Promise<T>): Promise<T> {
    const pooled = await this.#acquire(settings);
    let discarded = false;
    let stopping: Promise<void> | null = null;
    try {
      await this.#bringTo(pooled, settings);
      const { session, label } = pooled;
      return await work({
        session,
        discard: () => {
          discarded = true;
        },
        stop: () => {
          stopping = this.#source.stop(label);
          discarded = true;
        },
      });
    } finally {
      // A stop still in progress would hit the next request's statement.
      if (stopping) await stopping;
      if (discarded) this.#renew(pooled);
      this.#release(pooled);
    }
  }

  close(): void {
    for (const { session } of this.#idle.splice(0)) session.close();
  }

  #fresh(): Pooled {
    this.#opened++;
    const label = `${this.#name}-${this.#opened}`;
    return { label, session: this.#source.open(label), settings: NO_SETTINGS };
  }

  /** Replaces the session with a new one. */
  #renew(pooled: Pooled): void {
    pooled.session.close();
    Object.assign(pooled, this.#fresh());
  }

  /** Gives the session, or its replacement, exactly these settings. */
  async #bringTo(pooled: Pooled, settings: RequestSettings): Promise<void> {
    try {
      await align(pooled, settings);
    } catch (error) {
      // Either these settings are wrong, or the session's current ones (`readonly`) forbid changing them.
      const wasUsed = pooled.settings !== NO_SETTINGS;
      this.#renew(pooled);
      if (!wasUsed) throw error;
      await align(pooled, settings);
    }
  }

  /** Prefers an idle session that has these settings already: changing them takes an extra statement. */
  async #acquire(settings: RequestSettings): Promise<Pooled> {
    const suited = this.#idle.findLastIndex((one) => isSame(one.settings, settings));
    const [free] = this.#idle.splice(suited, 1);
    if (free) return free;
    if (this.#count < this.#limits.size) {
      const pooled = this.#fresh();
      this.#count++;
      return pooled;
    }
    if (this.#waiting.length >= this.#limits.waiting) {
      throw new EngineError(
        202,
        'TOO_MANY_SIMULTANEOUS_QUERIES',
        'Too many statements are waiting for a session',
      );
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release(pooled: Pooled): void {
    const next = this.#waiting.shift();
    if (next) next(pooled);
    else this.#idle.push(pooled);
  }
}

const isSame = (some: RequestSettings, others: RequestSettings): boolean =>
  some.size === others.size && [...some].every(([name, value]) => others.get(name) === value);

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
  // A SET is refused as a whole, so the session's settings are unchanged after an error.
  if (changes.length > 0) await pooled.session.queryAsync(`SET ${changes.join(', ')}`);
  pooled.settings = wanted;
}

function identifier(name: string, code: number, type: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name))
    throw new EngineError(code, type, 'A name in the URL is not a valid identifier');
  return name;
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
