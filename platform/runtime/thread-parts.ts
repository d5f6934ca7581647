import type { MessagePort } from 'node:worker_threads';
import { bundledCodec } from '../codec/bundled.ts';
import { openEmbeddedView } from '../event-log/embedded-view.ts';
import { stateOver } from '../state/state-threads.ts';
import type { WarehouseAddress } from '../warehouse/address.ts';
import { openWarehouse } from '../warehouse/clickhouse.ts';
import type { OpenOptions, PartOpeners } from './parts.ts';

/** What a second thread of the process needs of the embedded parts; null: that part is real, or was not opened. */
export interface SharedParts {
  readonly log: { readonly port: MessagePort; readonly path: string } | null;
  readonly state: { readonly port: MessagePort } | null;
  readonly warehouse: WarehouseAddress | null;
}

/** With real parts alone. */
export const NOTHING_SHARED: SharedParts = { log: null, state: null, warehouse: null };

export const portsOf = ({ log, state }: SharedParts): MessagePort[] =>
  [log, state].flatMap((part) => (part === null ? [] : [part.port]));

/** The parts as a second thread opens them: the embedded ones as the first one shares them, real ones by itself. */
export async function threadParts(shared: SharedParts, options: OpenOptions): Promise<PartOpeners> {
  const { settings, lifecycle, logger } = options;
  const { log, state, warehouse } = shared;
  const isAnyReal = [settings.kafka, settings.redis, settings.clickhouse, settings.registry].some(
    (part) => part !== null,
  );
  const real = isAnyReal ? (await import('./real-parts.ts')).realParts(options) : null;
  const required = (): PartOpeners => {
    if (real === null) throw new Error('an embedded part was not shared with this thread');
    return real;
  };
  return {
    log: async () => {
      if (log === null) return required().log();
      const view = await openEmbeddedView({ ...log, logger });
      lifecycle.add('event log', () => view.close());
      return view;
    },
    state: async () => {
      if (state === null) return required().state();
      const other = stateOver(state.port);
      lifecycle.add('state', other.close);
      return other;
    },
    warehouse: async () => {
      if (warehouse === null) return required().warehouse();
      const opened = openWarehouse({ ...warehouse, logger });
      lifecycle.add('warehouse connections', () => opened.close());
      return opened;
    },
    codec: async () => (settings.registry === null ? bundledCodec() : required().codec()),
  };
}
