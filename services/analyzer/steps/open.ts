import type { SourceText } from '#core/detect/read/texts.ts';
import { decodeLearning } from '#platform/codec/learn.ts';
import type { Codec } from '#platform/codec/port.ts';
import type { Opener } from '#platform/sealing/port.ts';
import type { SandboxRecord } from '#records/documents/sandbox-record.ts';
import type { SandboxVersions } from '#records/sandboxes/sandbox-versions.ts';
import type { AuditTriplet, TripletText } from '#schemas/events/events.ts';
import type { Audit, AuditBatch, Progress } from './audits.ts';
import { MalformedText } from './malformed-text.ts';

interface OpenDependencies {
  readonly codec: Codec;
  readonly keyring: Opener;
  readonly sandboxVersions: SandboxVersions;
}

/** An opened audit, and the sandbox version that judges it. */
export interface Opened {
  readonly triplet: AuditTriplet;
  readonly texts: readonly SourceText[];
  readonly sandbox: SandboxRecord;
}

/** Decodes and opens the records of a batch, and looks up their sandbox versions. */
export function openStep({ codec, keyring, sandboxVersions }: OpenDependencies) {
  const open = async ({ record }: Audit<null>, progress: Progress): Promise<Opened> => {
    const triplet = await decodeLearning(codec, codec.decodeTriplet, record.value);
    const { customerId, sandboxId, sandboxVersion } = triplet;
    progress.part = 'open';
    const texts = sourcesOf(await textOf(triplet, keyring));
    progress.part = 'detect';
    return { triplet, texts, sandbox: await sandboxVersions(customerId, sandboxId, sandboxVersion) };
  };
  return (batch: AuditBatch): Promise<Audit<Opened>[]> =>
    batch.each({ part: 'decode', stage: 'open' }, batch.audits, open);
}

/** The texts of a triplet that are analysed. Custom fields are not: they are not kept after the text. */
function sourcesOf({ prompt, response, thinkingBlock }: TripletText): SourceText[] {
  return [
    { source: 'prompt', text: prompt },
    { source: 'response', text: response },
    ...(thinkingBlock === undefined ? [] : [{ source: 'thinkingBlock', text: thinkingBlock } as const]),
  ];
}

/** The text of a triplet. Rejects with the keyring's errors or `MalformedText`. */
async function textOf(triplet: AuditTriplet, keyring: Opener): Promise<TripletText> {
  const { customerId, auditId, sealed } = triplet;
  const plaintext = await keyring.open(customerId, 'triplet', auditId, sealed);
  let text: unknown;
  try {
    text = JSON.parse(plaintext.toString('utf8'));
  } catch {
    // The parser's message quotes its input.
    throw new MalformedText();
  }
  if (!isTripletText(text)) throw new MalformedText();
  return text;
}

function isTripletText(value: unknown): value is TripletText {
  if (typeof value !== 'object' || value === null) return false;
  const { prompt, response, thinkingBlock } = value as Record<string, unknown>;
  return (
    typeof prompt === 'string' &&
    typeof response === 'string' &&
    (thinkingBlock === undefined || typeof thinkingBlock === 'string')
  );
}
