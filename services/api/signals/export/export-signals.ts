import type { Readable } from 'node:stream';
import { unavailable } from '#platform/flow/refusal.ts';
import type { Logger } from '#platform/telemetry/logger.ts';
import { type CheckpointDependencies, newestNote } from '#records/ledger/checkpoints.ts';
import type { ExportManifest } from '#schemas/api/export.ts';
import type { ExportPermits } from '../../operations/limits/export-permits.ts';
import { type Pace, pacedStream } from '../../operations/limits/paced-stream.ts';
import { exportContent } from './content.ts';
import { type ExportPlan, type ExportQuery, type PlanDependencies, planExport } from './plan.ts';
import { createTally, type Tally } from './tally.ts';

export interface ExportDependencies extends PlanDependencies, CheckpointDependencies {
  readonly permits: ExportPermits;
  readonly pace: Pace;
  readonly logger: Pick<Logger, 'warn'>;
}

interface StartedExport {
  readonly plan: ExportPlan;
  readonly stream: Readable;
  /** Covers the whole file once the stream has ended. */
  readonly tally: Tally;
}

/** An export that streams while it is read. It stops, in the warehouse too, when the stream closes or `gone` fires. */
export async function startExport(
  dependencies: ExportDependencies,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<StartedExport> {
  const release = dependencies.permits.take(customerId);
  try {
    const plan = await planExport(dependencies, customerId, query, gone);
    const stop = new AbortController();
    const tally = createTally();
    const stream = pacedStream(exportContent(dependencies.warehouse, plan, tally, stop.signal), {
      pace: dependencies.pace,
      onClose: () => {
        stop.abort();
        release();
      },
    });
    // The status was sent long before; this is the only report.
    stream.once('error', (err) => dependencies.logger.warn({ err, format: plan.format }, 'export aborted'));
    const leave = (): void => void stream.destroy();
    gone.addEventListener('abort', leave, { once: true });
    stream.once('close', () => gone.removeEventListener('abort', leave));
    if (gone.aborted) leave();
    return { plan, stream, tally };
  } catch (error) {
    release();
    throw error;
  }
}

/** The count and digest of an export with these parameters: its bytes are produced, but not sent. */
export async function exportManifest(
  dependencies: ExportDependencies,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<ExportManifest> {
  const { plan, stream, tally } = await startExport(dependencies, customerId, query, gone);
  try {
    for await (const _ of stream);
  } catch (error) {
    throw gone.aborted ? unavailable(error) : error;
  }
  const { asOf, treeSize, complete } = plan.bound;
  const { riskLevel, sandboxSlug, provider, model, violation, range } = query;
  const given = {
    riskLevel: riskLevel?.join(','),
    sandboxSlug,
    provider,
    model,
    violation,
    from: isoOf(range.from),
    to: isoOf(range.to),
  };
  return {
    contentDigest: tally.contentDigest(),
    rowCount: tally.rowCount(),
    format: plan.format,
    asOf: new Date(asOf).toISOString(),
    treeSize,
    complete,
    filters: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    checkpoint: await newestNote(dependencies, customerId),
  };
}

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
