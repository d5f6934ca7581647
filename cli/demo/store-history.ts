import { mapConcurrent } from '#platform/flow/map-concurrent.ts';
import { submitInternalSignal } from '#schemas/endpoints.ts';
import { type Client, RequestFailed } from '../command/client.ts';
import { print } from '../command/output.ts';
import { chooserOf, ingestExamples } from './history-examples.ts';
import { HISTORY_DAYS, historySlots, type Slot } from './history-slots.ts';
import { countSignals, readAllSignals, type SignalLine } from './signals.ts';
import { waitFor } from './tour.ts';
import type { Workspace } from './workspace.ts';

/** Requests in flight; the service writes requests that arrive together to disk together. */
const AT_ONCE = 96;

interface Stored {
  readonly signals: readonly SignalLine[];
  /** Signals of the history, and the number that this run added. */
  readonly planned: number;
  readonly added: number;
}

/** A signal in the past: what the service found in the example, at the time of the slot. */
const signalOf = (customerId: string, { auditId, at }: Slot, example: SignalLine) => ({
  auditId,
  customerId,
  createdAt: new Date(at).toISOString(),
  sandboxSlug: example.sandboxSlug,
  provider: example.provider,
  model: example.model,
  riskLevel: example.riskLevel,
  violations: example.violations,
  piiDetected: example.piiDetected,
  confidence: example.confidence,
  reasoning: example.reasoning,
  promptTokens: example.promptTokens,
  outputTokens: example.outputTokens,
  hasThinkingBlock: example.hasThinkingBlock,
  durationMs: example.durationMs,
});

/** `KNOWN`: an interrupted run sent the signal, and it may not be stored yet. `ERASED`: it was erased since. */
async function submit(
  internal: Client,
  body: ReturnType<typeof signalOf>,
): Promise<'NEW' | 'KNOWN' | 'ERASED'> {
  try {
    const { statusCode } = await internal.call(submitInternalSignal, { body });
    return statusCode === 201 ? 'NEW' : 'KNOWN';
  } catch (error) {
    if (error instanceof RequestFailed && error.code === 'CONFLICT') return 'ERASED';
    throw error;
  }
}

/**
 * Stores the history's signals that are not stored yet. The service analyses the examples like any audit. Signals in
 * the past are sent to the operation for signals with their own time; the ledger shows when they arrived.
 */
export async function storeHistory(workspace: Workspace): Promise<Stored> {
  const { customerId, client, internal, startedAt } = workspace;
  const slots = historySlots(customerId, Date.parse(startedAt));
  const before = await readAllSignals(client);
  const known = new Set(before.map(({ auditId }) => auditId));
  const missing = slots.filter(({ auditId }) => !known.has(auditId));
  if (missing.length === 0) return { signals: before, planned: slots.length, added: 0 };
  print(`Ingesting examples, then ${missing.length} signals of the last ${HISTORY_DAYS} days.`);
  const chosen = chooserOf(await ingestExamples(workspace));
  const others = await countSignals(client);
  const outcomes = await mapConcurrent(missing, AT_ONCE, (slot) =>
    submit(internal, signalOf(customerId, slot, chosen(slot))),
  );
  const added = outcomes.filter((outcome) => outcome === 'NEW').length;
  const expected = missing.filter((_, index) => outcomes[index] !== 'ERASED');
  const signals = await waitFor('the signals of the history', async () => {
    if ((await countSignals(client)) < others + added) return null;
    const stored = await readAllSignals(client);
    const ids = new Set(stored.map(({ auditId }) => auditId));
    return expected.every(({ auditId }) => ids.has(auditId)) ? stored : null;
  });
  return { signals, planned: slots.length, added };
}
