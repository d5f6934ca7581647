import type { Opener } from '#platform/sealing/port.ts';
import type { AuditTriplet, TripletText } from '#schemas/events/events.ts';

/** What was sealed is not the text of a triplet. The message never quotes it. */
export class MalformedText extends Error {
  constructor() {
    super('the sealed text is not that of a triplet');
    this.name = 'MalformedText';
  }
}

/** The text of a triplet. Rejects with the keyring's errors or `MalformedText`. */
export async function openTriplet(triplet: AuditTriplet, keyring: Opener): Promise<TripletText> {
  const { customerId, auditId, sealed } = triplet;
  const plaintext = await keyring.open(customerId, 'triplet', auditId, sealed);
  let text: unknown;
  try {
    text = JSON.parse(plaintext.toString('utf8'));
  } catch {
    // The parser's message quotes what it read.
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
