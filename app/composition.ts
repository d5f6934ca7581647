import type { RoleName } from '#platform/config/roles.ts';
import type { Dependencies } from '#platform/process/dependencies.ts';
import type { Probe } from '#platform/process/probe.ts';
import type { openEmbeddedState } from '#platform/state/lmdb/state.ts';
import type { startEmbeddedWarehouse } from '#platform/warehouse/embedded/process.ts';

/** What a program may compose differently from `cas`. The tests' own program uses it to make dependencies fail. */
export interface Composition {
  readonly probe?: Probe;
  /** Returns what a role's service gets instead of its dependencies. */
  readonly around?: <Of extends Dependencies>(role: RoleName, dependencies: Of) => Of;
}

/** The same for the embedded profile. */
export interface EmbeddedComposition extends Composition {
  readonly openState?: typeof openEmbeddedState;
  readonly startEngine?: typeof startEmbeddedWarehouse;
  /** Source of the main module of the thread shared by analyzer, sink and correlator. */
  readonly pipelineModule?: string;
}

export const unchanged = <Of>(_: RoleName, dependencies: Of): Of => dependencies;
