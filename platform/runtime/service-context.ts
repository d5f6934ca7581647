import type { CrashPoint } from './crash-point.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import type { ConsumerMetrics } from './metrics.ts';
import type { Parts } from './parts.ts';
import type { Settings } from './settings.ts';

/** What every service is started with; `Needed`: the parts it stands on. */
export interface ServiceContext<Needed extends Parts = Parts> {
  readonly parts: Needed;
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly metrics: ConsumerMetrics;
  /** Unix ms. */
  readonly now: () => number;
  readonly crashPoint: CrashPoint;
}
