import { getSignal, ingestAudit, ingestBatch, scanPrompt } from '#schemas/endpoints.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import { save, verifyOffline } from './offline.ts';
import { countSignals, readAllSignals, type SignalLine } from './signals.ts';
import { addEntries, dataOf, exampleLines, heading, note, type Tour, waitFor } from './tour.ts';

const SLUG = 'customer-support';
const VALUES = ['jane.roe@example.org', '4111 1111 1111 1111'];
const PROMPT = `Please answer ${VALUES[0]}: her card ${VALUES[1]} was charged twice.`;

/** Ingests one triplet with its receipt, then a file of them. */
export async function ingest(tour: Tour): Promise<{ auditId: string; signals: readonly SignalLine[] }> {
  const { client, check } = tour;
  heading('1. Ingest');
  const triplet = {
    sandboxSlug: SLUG,
    provider: 'openai',
    model: 'gpt-4o',
    prompt: PROMPT,
    response: 'Done.',
  };
  const accepted = await client.call(ingestAudit, { body: triplet });
  const auditId = String(accepted.body.auditId);
  check(
    'one triplet is accepted with a signed receipt',
    await verifyOffline(tour, save(tour, 'receipt.json', accepted.body)),
  );
  const lines = exampleLines();
  const batch = await client.call(ingestBatch, { body: lines.map((line) => JSON.parse(line)) });
  const ids = dataOf<{ auditId?: string }[]>(batch).flatMap((item) => item.auditId ?? []);
  check(
    `${ids.length} of ${lines.length} example triplets are accepted in one batch, each with its own id`,
    new Set(ids).size === lines.length,
  );
  addEntries(tour, 'SIGNAL', 1 + lines.length);

  heading('2. Signals');
  const sent = new Set([auditId, ...ids]);
  await waitFor('all signals', async () => ((await countSignals(client)) >= sent.size ? true : null));
  const signals = await readAllSignals(client);
  const counts = RISK_LEVELS.map(
    (level) => `${signals.filter(({ riskLevel }) => riskLevel === level).length} ${level}`,
  );
  note(counts.join(', '));
  const stored = new Set(signals.map((signal) => signal.auditId));
  check(
    `${signals.length} signals of ${sent.size} audits: one each`,
    signals.length === sent.size && [...sent].every((id) => stored.has(id)),
  );
  return { auditId, signals };
}

export async function showRedaction({ client, check }: Tour, auditId: string): Promise<void> {
  heading('3. Redaction: the signal of the first triplet');
  const signal = (await client.call(getSignal, { params: { id: auditId } })).body;
  note(`sent:   ${PROMPT}`);
  note(`stored: ${String(signal.riskLevel)}, ${String(signal.violations)}`);
  note(`        ${String(signal.reasoning)}`);
  const text = JSON.stringify(signal);
  const codes = signal.violations as unknown as string[];
  check(
    'address and card are reported',
    ['EMAIL', 'CREDIT_CARD'].every((code) => codes.includes(code)),
  );
  check(
    'the signal contains neither value',
    VALUES.every((value) => !text.includes(value)),
  );
}

export async function showScan({ client, check }: Tour): Promise<void> {
  heading('4. Scan before the call to a model: nothing is stored');
  const before = await countSignals(client);
  const { body } = await client.call(scanPrompt, { body: { sandbox: SLUG, userInput: PROMPT } });
  note(`${String(body.action)}: ${String(body.cleanPrompt)}`);
  check(
    'the text to send instead contains neither value',
    body.action === 'REDACT' && VALUES.every((value) => !String(body.cleanPrompt).includes(value)),
  );
  check('the scan left no signal', (await countSignals(client)) === before);
}
