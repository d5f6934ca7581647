import type { Readable } from 'node:stream';
import type { Logger } from '../../../../platform/runtime/logger.ts';
import type { ExportManifest } from '../../../../schemas/api/export.ts';
import { unavailable } from '../../errors.ts';
import { exportContent } from './content.ts';
import { type Pace, pacedStream } from './paced-stream.ts';
import { type ExportPlan, type ExportQuery, type PlanParts, planExport } from './plan.ts';
import type { ExportSlots } from './slots.ts';
import { createTally, type Tally } from './tally.ts';

export interface ExportParts extends PlanParts {
  readonly slots: ExportSlots;
  readonly pace: Pace;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface StartedExport {
  readonly plan: ExportPlan;
  readonly stream: Readable;
  /** Of the whole file once the stream has ended. */
  readonly tally: Tally;
}

/** An export that streams as it is read. It is stopped, in the warehouse too, when the stream closes or `gone` fires. */
export async function startExport(
  parts: ExportParts,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<StartedExport> {
  const giveBack = parts.slots.take(customerId);
  try {
    const plan = await planExport(parts, customerId, query, gone);
    const stop = new AbortController();
    const tally = createTally();
    const stream = pacedStream(exportContent(parts.warehouse, plan, tally, stop.signal), {
      pace: parts.pace,
      onClose: () => {
        stop.abort();
        giveBack();
      },
    });
    // The status was answered long before; nobody else would hear of it.
    stream.once('error', (err) =>
      parts.logger.warn({ err, format: plan.format }, 'an export was broken off'),
    );
    const leave = (): void => void stream.destroy();
    gone.addEventListener('abort', leave, { once: true });
    stream.once('close', () => gone.removeEventListener('abort', leave));
    if (gone.aborted) leave();
    return { plan, stream, tally };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** What the export with these parameters would say of itself: its bytes are made, and not sent. */
export async function exportManifest(
  parts: ExportParts,
  customerId: string,
  query: ExportQuery,
  gone: AbortSignal,
): Promise<ExportManifest> {
  const { plan, stream, tally } = await startExport(parts, customerId, query, gone);
  try {
    for await (const _ of stream);
  } catch (error) {
    throw gone.aborted ? unavailable(error) : error;
  }
  const { asOf, treeSize, complete } = plan.bound;
  const { riskLevel, sandboxSlug, provider, violation, range } = query;
  const given = { riskLevel, sandboxSlug, provider, violation, from: isoOf(range.from), to: isoOf(range.to) };
  return {
    contentDigest: tally.contentDigest(),
    rowCount: tally.rowCount(),
    format: plan.format,
    asOf: new Date(asOf).toISOString(),
    treeSize,
    complete,
    filters: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    checkpoint: null,
  };
}

const isoOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
