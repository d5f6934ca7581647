import type { Codec } from '#platform/codec/port.ts';
import type { EventLog } from '#platform/event-log/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import type { State } from '#platform/state/port.ts';
import type { Warehouse } from '#platform/warehouse/port.ts';

/** The dependencies of every service. */
export interface Dependencies {
  readonly log: EventLog;
  readonly state: State;
  readonly codec: Codec;
  readonly keyring: Keyring;
}

/** Adds the warehouse, which the analyzer does not need. */
export interface StoringDependencies extends Dependencies {
  readonly warehouse: Warehouse;
}
