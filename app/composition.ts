import type { RoleName } from '#platform/config/roles.ts';
import type { Dependencies } from '#platform/process/dependencies.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';

/** What a program may compose otherwise than `cas` does. The tests' own program makes parts fail this way. */
export interface Composition {
  readonly probe?: Probe;
  /** Returns what the service of a role gets in place of its dependencies. */
  readonly around?: <Of extends Dependencies>(role: RoleName, dependencies: Of) => Of;
}

/** Likewise of the embedded profile. */
export interface EmbeddedComposition extends Composition {
  readonly openState?: typeof openEmbeddedState;
  readonly startEngine?: typeof startEmbeddedWarehouse;
  /** Source of the main module of the thread that analyzer, sink and correlator share. */
  readonly pipelineModule?: string;
}

export const unchanged = <Of>(_: RoleName, dependencies: Of): Of => dependencies;
