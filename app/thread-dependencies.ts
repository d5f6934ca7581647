import type { MessagePort } from 'node:worker_threads';
import { bundledCodec } from '#platform/codec/bundled.ts';
import { openEmbeddedView } from '#platform/event-log/lmdb/view.ts';
import { stateOver } from '#platform/state/lmdb/threads.ts';
import type { WarehouseAddress } from '#platform/warehouse/client/address.ts';
import { openWarehouse } from '#platform/warehouse/client/clickhouse.ts';
import type { DependencyOpeners, OpenOptions } from './dependencies.ts';

/** What a second thread of an embedded service needs to use the first one's dependencies. */
export interface SharedDependencies {
  readonly log: { readonly port: MessagePort; readonly path: string };
  readonly state: { readonly port: MessagePort };
  readonly warehouse: WarehouseAddress;
}

/** Openers for a second thread, using what the first one shares. */
export function threadDependencies(
  { log, state, warehouse }: SharedDependencies,
  { lifecycle, logger }: Pick<OpenOptions, 'lifecycle' | 'logger'>,
): DependencyOpeners {
  return {
    log: async () => {
      const view = await openEmbeddedView({ ...log, logger });
      lifecycle.add('event log', () => view.close());
      return view;
    },
    state: async () => {
      const other = stateOver(state.port);
      lifecycle.add('state', other.close);
      return other;
    },
    warehouse: async () => {
      const opened = openWarehouse({ ...warehouse, logger });
      lifecycle.add('warehouse connections', () => opened.close());
      return opened;
    },
    codec: async () => bundledCodec(),
  };
}
