import type { Parts } from '../../platform/runtime/parts.ts';

/**
 * Lets the process that started this one make parts fail: `{holdWarehouseDown: ms}` and `{refuseState: ms}`. Used by
 * the failure tests, and only wired up when the settings say that this is one.
 */
export function obeyTestControls({ embedded }: Parts): void {
  process.on('message', (command: { holdWarehouseDown?: number; refuseState?: number }) => {
    const taken = (): unknown => process.send?.({ taken: true });
    if (command.refuseState !== undefined) {
      embedded.state.refuseFor(command.refuseState);
      taken();
    }
    if (command.holdWarehouseDown !== undefined) {
      void embedded.warehouse.holdDown(command.holdWarehouseDown).then(taken);
    }
  });
}
