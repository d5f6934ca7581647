import type { Check } from '#platform/telemetry/readiness/readiness.ts';
import { type Warehouse, WarehouseDamaged, type WarehouseLogger } from './port.ts';

/** Damaged rows that a process has met. */
export interface DamageWatch {
  /** The same warehouse, with every damage that a call meets recorded. */
  readonly warehouse: Warehouse;
  /** Records damage that another thread met. */
  saw(what: string): void;
  /** For readiness: fails for a day after the last damage was met. The process still accepts requests. */
  check(): Promise<Check & { readonly serves: true }>;
}

interface DamageOptions {
  readonly logger: Pick<WarehouseLogger, 'error'>;
  /** Unix ms. */
  readonly now: () => number;
}

/** Each is logged once, up to this number. */
const REMEMBERED_DAMAGE = 1_000;
/** The background verification meets it again within a day. */
const RED_MS = 25 * 3_600_000;
const MESSAGE = 'stored rows of the warehouse are damaged; "cas damage" lists them and says what to do';

export function watchDamage(warehouse: Warehouse, { logger, now }: DamageOptions): DamageWatch {
  const logged = new Set<string>();
  let seenAt: number | null = null;
  const saw = (what: string): void => {
    seenAt = now();
    if (logged.has(what) || logged.size >= REMEMBERED_DAMAGE) return;
    logged.add(what);
    logger.error({ damage: what }, 'warehouse rows damaged');
  };
  const note = (error: unknown): never => {
    if (error instanceof WarehouseDamaged) saw(error.message);
    throw error;
  };
  async function* streamed<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
    try {
      yield* items;
    } catch (error) {
      note(error);
    }
  }
  return {
    warehouse: {
      query: (...args) => warehouse.query(...args).catch(note) as never,
      stream: (...args) => streamed(warehouse.stream(...args)) as never,
      streamTuples: (...args) => streamed(warehouse.streamTuples(...args)) as never,
      streamBytes: (...args) => streamed(warehouse.streamBytes(...args)),
      insert: (...args) => warehouse.insert(...args).catch(note),
      command: (...args) => warehouse.command(...args).catch(note),
      ping: () => warehouse.ping(),
      close: () => warehouse.close(),
    },
    saw,
    check: async () => {
      const isRed = seenAt !== null && Math.abs(now() - seenAt) < RED_MS;
      return isRed ? { ok: false, message: MESSAGE, serves: true } : { ok: true, serves: true };
    },
  };
}
