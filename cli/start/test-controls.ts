import type { EmbeddedParts } from '../../platform/runtime/embedded-parts.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';

/**
 * Lets the process that started this one make parts fail: `{holdWarehouseDown: ms}` and `{refuseState: ms}`. Used by
 * the failure tests, and only wired up when the settings say that this is one.
 */
export function obeyTestControls(embedded: EmbeddedParts, lifecycle: Lifecycle): void {
  const taken = (): unknown => process.send?.({ taken: true });
  const obey = (command: { holdWarehouseDown?: number; refuseState?: number }): void => {
    if (command.refuseState !== undefined) {
      embedded.faultyState()?.refuseFor(command.refuseState);
      taken();
    }
    if (command.holdWarehouseDown !== undefined) {
      void embedded.engine()?.holdDown(command.holdWarehouseDown).then(taken);
    }
  };
  process.on('message', obey);
  // A listener keeps the channel open, and an open channel would keep a stopped process alive.
  lifecycle.add('test controls', () => {
    process.off('message', obey);
  });
}
