import type { Settings } from '../config/settings.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { ConsumerMetrics } from '../telemetry/metrics/metrics.ts';
import type { Dependencies } from './dependencies.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Probe } from './probe.ts';

/** The arguments that every service starts with; `Needed`: its dependencies. */
export interface ServiceContext<Needed extends Dependencies = Dependencies> {
  readonly dependencies: Needed;
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly metrics: ConsumerMetrics;
  /** Unix ms. */
  readonly now: () => number;
  readonly probe?: Probe | undefined;
}
