import { NDJSON } from '#schemas/api/audit-batch.ts';
import { KIB, MIB } from '#schemas/api/contract.ts';
import type { Credentials } from './hostile-corpus.ts';

interface LargeRequest {
  readonly name: string;
  readonly target: string;
  readonly type: string;
  readonly body: Buffer;
}

const JSON_TYPE = 'application/json';
const EMAIL = 'a@b.co ';
const E_MAILS = 37_000;
const ENVELOPE_BYTES = 400;

/** The largest allowed requests, with the most expensive content. */
export function largeRequests({ slug }: Credentials): LargeRequest[] {
  const triplet = (prompt: string, customFields: unknown = {}) =>
    JSON.stringify({
      sandboxSlug: slug,
      provider: 'openai',
      model: 'm',
      prompt,
      response: 'Done.',
      metadata: { customFields },
    });
  const ingest = (name: string, body: string): LargeRequest => ({
    name,
    target: '/audit/ingest',
    type: JSON_TYPE,
    body: Buffer.from(body),
  });
  const batch = (name: string, type: string, body: string): LargeRequest => ({
    name,
    target: '/audit/ingest/batch',
    type,
    body: Buffer.from(body),
  });
  const text = 'It is on its way, and will be there by noon. ';
  const fill = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));
  const item = triplet(fill(text, 16 * KIB - ENVELOPE_BYTES));
  const items = Array.from({ length: 1_000 }, () => item);
  const names = Object.fromEntries(Array.from({ length: 1_500 }, (_, number) => [`k${number}`, number]));
  return [
    {
      name: `scan of ${E_MAILS} e-mail addresses`,
      target: '/guardian/scan',
      type: JSON_TYPE,
      body: Buffer.from(JSON.stringify({ sandbox: slug, userInput: EMAIL.repeat(E_MAILS) })),
    },
    ingest('ingest of 2 MiB, ordinary text', triplet(fill(text, 2 * MIB - ENVELOPE_BYTES))),
    ingest('ingest of 2 MiB, escapes', triplet(fill('\u0001', (2 * MIB - ENVELOPE_BYTES) / 6))),
    ingest('ingest of 2 MiB, not of Latin letters', triplet(fill('語', (2 * MIB - ENVELOPE_BYTES) / 3))),
    ingest('ingest of 16 KiB of custom fields', triplet('x', names)),
    ingest('ingest of 2 MiB of nested arrays', `{"a":${'['.repeat(MIB)}`),
    ingest(
      'ingest of 120,000 names',
      `{${Array.from({ length: 120_000 }, (_, number) => `"k${number}":1`).join(',')}}`,
    ),
    batch('batch of 16 MiB, NDJSON, 1,000 items', NDJSON, items.join('\n')),
    batch('batch of 16 MiB, JSON, 1,000 items', JSON_TYPE, `[${items.join(',')}]`),
    batch('batch of 16 MiB of line ends', NDJSON, fill('\n', 16 * MIB)),
    batch('batch of {} and 16 MiB of blanks', NDJSON, `{}\n${fill(' ', 16 * MIB - 3)}`),
    batch('batch of 16 MiB, one text', JSON_TYPE, `["${fill('x', 16 * MIB - 4)}"]`),
    batch('batch of 1,000 items of 20,000 values', NDJSON, fill(`[${'0,'.repeat(7_900)}0]\n`, 16 * MIB)),
  ];
}
