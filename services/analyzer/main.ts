import { randomBytes } from 'node:crypto';
import type { CrashPoint } from '../../platform/runtime/crash-point.ts';
import type { Lifecycle } from '../../platform/runtime/lifecycle.ts';
import type { Logger } from '../../platform/runtime/logger.ts';
import type { Metrics } from '../../platform/runtime/metrics.ts';
import type { Parts } from '../../platform/runtime/parts.ts';
import type { Settings } from '../../platform/runtime/settings.ts';
import type { Stream } from '../../platform/stream/run-stream.ts';
import { parseFaults } from './faults.ts';
import { createAnalyzer } from './pipeline.ts';
import { ANALYZER_GROUP, runAnalyzer } from './run-analyzer.ts';

export interface AnalyzerOptions {
  readonly parts: Parts;
  readonly settings: Settings;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly now: () => number;
  readonly crashPoint: CrashPoint;
}

/** Starts an analyzer: joins its group and works until the lifecycle stops it. */
export async function startAnalyzer(options: AnalyzerOptions): Promise<Stream> {
  const { parts, settings, lifecycle, logger, metrics, now, crashPoint } = options;
  const analyzer = createAnalyzer({
    codec: parts.codec,
    keyring: parts.keyring,
    sandboxVersions: parts.sandboxVersions,
    now,
    clock: () => performance.now(),
    randomBytes,
    faults: parseFaults(settings.faultInjection),
  });
  const stream = await runAnalyzer({
    log: parts.log,
    state: parts.state,
    analyzer,
    crashPoint,
    logger,
    metrics: metrics.stream(ANALYZER_GROUP),
    now,
  });
  lifecycle.add('analyzer', stream.stop);
  return stream;
}
