import type { Lifecycle } from '#platform/process/lifecycle.ts';
import type { EmbeddedDependencies } from './embedded-dependencies.ts';
import type { Pipeline } from './pipeline-thread.ts';

interface Command {
  readonly holdWarehouseDown?: number;
  readonly refuseState?: number;
  readonly endPipeline?: number;
}

/**
 * Lets the process that started this one make dependencies fail: `{holdWarehouseDown: ms}`, `{refuseState: ms}` and
 * `{endPipeline: 1}`. Used by the failure tests, and only wired up when the settings enable it.
 */
export function obeyTestControls(
  embedded: Pick<EmbeddedDependencies, 'faulty'>,
  pipeline: Pick<Pipeline, 'end'>,
  lifecycle: Lifecycle,
): void {
  const taken = (): unknown => process.send?.({ taken: true });
  const obey = (command: Command): void => {
    if (command.refuseState !== undefined) {
      embedded.faulty.state.refuseFor(command.refuseState);
      taken();
    }
    if (command.holdWarehouseDown !== undefined) {
      void embedded.faulty.engine.holdDown(command.holdWarehouseDown).then(taken);
    }
    if (command.endPipeline !== undefined) {
      taken();
      pipeline.end();
    }
  };
  process.on('message', obey);
  // A listener keeps the channel open, and an open channel would keep a stopped process alive.
  lifecycle.add('test controls', () => {
    process.off('message', obey);
  });
}
