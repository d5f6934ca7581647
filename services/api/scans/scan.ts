import type { SourceText } from '#core/detect/read/texts.ts';
import type { RedactedEntity, ShortHash } from '#core/detect/report/redact.ts';
import { shortHash } from '#core/detect/report/short-hash.ts';
import { type ScanOutcome, scanInSteps } from '#core/detect/scan.ts';
import { blanked, mediaIn, textMayHoldMedia } from '#core/media/find-media.ts';
import type { Detected, Detection, ToDetect } from '#detection/port.ts';
import { Refusal, unavailable } from '#platform/flow/refusal.ts';
import { runSteps, timeSlice } from '#platform/flow/time-slice.ts';
import { SANDBOX_SLUGS, type SandboxHead } from '#platform/state/port.ts';
import { TaskTimedOut } from '#platform/threads/task-errors.ts';
import { normaliseSlug, type SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { ScanRequest, ScanResult } from '#schemas/api/scan.ts';
import type { ApiDependencies } from '../operations/dependencies.ts';

/** Tells whether the client still waits for the answer. */
interface Client {
  readonly hasLeft: () => boolean;
  /** Fires when the client leaves, and when the server closes. */
  readonly gone: AbortSignal;
}

type ScanDependencies = Pick<ApiDependencies, 'state' | 'sandboxVersions' | 'keyring' | 'detection'>;

/** Memory of an entity, which is found once and written twice in the answer, in values of a body. */
const VALUES_PER_ENTITY = 5;

/**
 * Scans prompts. Nothing of a scan is kept except the sandboxes' compiled rules. Answers with many matches share one
 * slice of the event loop, so that other requests proceed. A scan whose client has left stops waiting for a search, and
 * ends at its next yield. `clock`: monotonic, ms. The returned function resolves to the answer's JSON; `hold`: counts
 * the memory of its values, and throws if there is no room for them.
 */
export function createScanner(dependencies: ScanDependencies, clock: () => number) {
  const slice = timeSlice(clock);
  return async (
    customerId: string,
    request: ScanRequest,
    hold: (values: number) => void,
    client: Client,
  ): Promise<Buffer> => {
    const yieldTurn = async (): Promise<void> => {
      await slice();
      if (client.hasLeft()) throw unavailable(new Error('the client disconnected before its scan ended'));
    };
    const startedAt = clock();
    const sandbox = await sandboxOf(dependencies, customerId, request.sandbox);
    const hash = await hashFor(dependencies, customerId, sandbox);
    const texts = textsOf(request);
    await yieldTurn();
    const searched = await runSteps(withoutMedia(texts), yieldTurn);
    const { customRules, detection: settings } = sandbox;
    const asked = { customerId, texts: searched, customRules, settings };
    const { matches, suppressed } = await foundIn(asked, dependencies.detection, leftSignal(client));
    const outcome = await runSteps(scanInSteps(texts, matches, sandbox, hash, suppressed), yieldTurn);
    hold(outcome.entities.length * VALUES_PER_ENTITY);
    const durationMs = Math.round((clock() - startedAt) * 100) / 100;
    return runSteps(answerInSteps(outcome, durationMs), yieldTurn);
  };
}

/** Fires when the client has left, but not when the server closes, which answers its requests first. */
function leftSignal({ hasLeft, gone }: Client): AbortSignal {
  const left = new AbortController();
  const onGone = (): void => {
    if (hasLeft()) left.abort(unavailable(new Error('the client disconnected before its scan ended')));
  };
  gone.addEventListener('abort', onGone, { once: true });
  return left.signal;
}

async function foundIn(asked: ToDetect, detection: Detection, signal: AbortSignal): Promise<Detected> {
  const [result] = await detection.detectAll([asked], signal);
  if (result?.status === 'fulfilled') return result.value;
  const error: unknown = result?.reason;
  throw error instanceof TaskTimedOut ? tooLongToScan(error) : error;
}

/** On a busy server this is temporary; otherwise the customer must ask for less. */
const tooLongToScan = (cause: TaskTimedOut): Refusal =>
  new Refusal('UNAVAILABLE', {
    message: 'The scan took too long. Send shorter texts, or simplify the rules of the sandbox.',
    retryAfterSeconds: 1,
    cause,
  });

/**
 * The sandbox's current version: one read of the state, because versions never change and stay in memory. Throws if
 * there is none, or it is inactive.
 */
async function sandboxOf(
  dependencies: ScanDependencies,
  customerId: string,
  slug: string,
): Promise<SandboxRecord> {
  const ref = { scope: customerId, collection: SANDBOX_SLUGS, id: normaliseSlug(slug) };
  const head = (await dependencies.state.documents.get<SandboxHead>(ref))?.value;
  if (head === undefined || head.deleted) throw new Refusal('SANDBOX_NOT_FOUND');
  if (!head.active) throw new Refusal('SANDBOX_INACTIVE');
  return dependencies.sandboxVersions(customerId, head.sandboxId, head.sandboxVersion);
}

const noHash: ShortHash = () => {
  throw new Error('hashes are only used by the HASHED strategy');
};

async function hashFor(
  dependencies: ScanDependencies,
  customerId: string,
  { redactionStrategy }: SandboxRecord,
): Promise<ShortHash> {
  return redactionStrategy === 'HASHED' ? shortHash(await dependencies.keyring.hashKey(customerId)) : noHash;
}

function textsOf({ userInput, systemPrompt }: ScanRequest): SourceText[] {
  return [
    { source: 'userInput', text: userInput },
    ...(systemPrompt === undefined ? [] : [{ source: 'systemPrompt', text: systemPrompt } as const]),
  ];
}

/** The texts to search: pictures and other files are replaced with blanks of the same length. */
function* withoutMedia(texts: readonly SourceText[]): Generator<undefined, SourceText[]> {
  const searched: SourceText[] = [];
  for (const { source, text } of texts)
    searched.push({ source, text: textMayHoldMedia(text) ? blanked(text, yield* mediaIn(text)) : text });
  return searched;
}

type Shown = Omit<ScanResult, 'detectedEntities'>;

function shownFields({ cleanTexts, suppressed, ...outcome }: ScanOutcome, durationMs: number): Shown {
  const cleanSystemPrompt = cleanTexts.get('systemPrompt');
  return {
    action: outcome.action,
    violations: outcome.violations,
    reasoning: outcome.reasoning,
    cleanPrompt: cleanTexts.get('userInput') ?? '',
    ...(cleanSystemPrompt === undefined ? {} : { cleanSystemPrompt }),
    confidence: outcome.confidence,
    ...(suppressed.length === 0 ? {} : { suppressed: suppressed as ScanResult['suppressed'] }),
    durationMs,
  };
}

/** Entities written between two yields. */
const STRETCH = 500;

/**
 * The JSON of the answer, with its fields at the top level and again under `data`. A prompt full of values has
 * megabytes of entities, which are serialised in chunks, directly as bytes.
 */
function* answerInSteps(outcome: ScanOutcome, durationMs: number): Generator<void, Buffer> {
  const shown = JSON.stringify(shownFields(outcome, durationMs)).slice(0, -1);
  const fields = [Buffer.from(`${shown},"detectedEntities":[`)];
  for (let at = 0; at < outcome.entities.length; at += STRETCH) {
    if (at > 0) yield;
    const some: RedactedEntity[] = outcome.entities.slice(at, at + STRETCH);
    fields.push(Buffer.from(`${at > 0 ? ',' : ''}${JSON.stringify(some).slice(1, -1)}`));
  }
  fields.push(Buffer.from(']'));
  if (outcome.entities.length > STRETCH) yield;
  return Buffer.concat([...fields, Buffer.from(',"data":'), ...fields, Buffer.from('}}')]);
}
