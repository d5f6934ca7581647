import type { Match } from '#core/detect/find/match.ts';
import type { Detection } from '#detection/port.ts';
import type { Suppression } from '#schemas/ledger/signal.v3.ts';
import type { Audit, AuditBatch } from './audits.ts';
import type { Opened } from './open.ts';

export interface Found extends Opened {
  readonly matches: readonly Match[];
  readonly suppressed: readonly Suppression[];
}

/** Searches the texts of all audits in one call. */
export async function detectAudits(
  batch: AuditBatch,
  opened: readonly Audit<Opened>[],
  detection: Detection,
  signal: AbortSignal,
): Promise<Audit<Found>[]> {
  const asked = opened.map(({ known: { triplet, texts, sandbox } }) => ({
    customerId: triplet.customerId,
    texts,
    customRules: sandbox.customRules,
    settings: sandbox.detection,
  }));
  const results = await detection.detectAll(asked, signal);
  signal.throwIfAborted();
  const found: Audit<Found>[] = [];
  for (const [index, result] of results.entries()) {
    const audit = opened[index]!;
    if (result.status === 'rejected') {
      batch.fail(audit, 'detect', result.reason);
      continue;
    }
    const { matches, suppressed, durationMs } = result.value;
    const known = { ...audit.known, matches, suppressed };
    found.push({ ...audit, known, workedMs: audit.workedMs + durationMs });
  }
  return found;
}
