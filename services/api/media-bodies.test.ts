import { createHash } from 'node:crypto';
import { canonicalJson } from '#core/evidence/canonical-json.ts';
import { afterAll, beforeAll, describe, expect, test } from '#jest';
import type { Codec } from '#platform/codec/port.ts';
import type { Keyring } from '#platform/sealing/port.ts';
import { TRIPLETS } from '#schemas/topics.ts';
import { type Batches, idsOf, resultsOf, startBatches, TRIPLET } from './testing/batches.ts';
import type { Answered } from './testing/harness.ts';

/** Pictures and other files in the texts of triplets. */

let world: Batches;
beforeAll(async () => {
  world = await startBatches();
});
afterAll(() => world.harness.close());

const MIB = 1024 * 1024;
function png(length: number, seed: string): Buffer {
  const blocks = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')];
  for (let n = 0; n * 32 < length; n += 1) blocks.push(createHash('sha256').update(`${seed}${n}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
const PICTURE = png(3 * MIB, 'large');
const URI = `data:image/png;base64,${PICTURE.toString('base64')}`;
const REFERENCE = `[image/png; bytes=3145728; sha256:${createHash('sha256').update(PICTURE).digest('hex')}]`;

const ingest = (triplet: unknown, more: Record<string, string> = {}): Promise<Answered> =>
  world.harness.call({
    method: 'POST',
    url: '/audit/ingest',
    headers: { ...world.customer.headers, 'content-type': 'application/json', ...more },
    payload: typeof triplet === 'string' ? triplet : JSON.stringify(triplet),
  });

/** The sealed texts of an audit. */
async function sealedTexts(auditId: string): Promise<{ prompt: string; response: string }> {
  const record = world.harness.log.of(TRIPLETS.name).find(({ key }) => key === auditId);
  if (record?.value == null) throw new Error('no record of the audit');
  const { codec, keyring } = world.harness.dependencies as unknown as {
    codec: Codec;
    keyring: Keyring;
  };
  const event = await codec.decodeTriplet(record.value);
  const opened = await keyring.open(world.customer.id, 'triplet', auditId, event.sealed);
  return JSON.parse(opened.toString());
}

/** The expected digest of the receipt: over the body as sent, including pictures. */
const digestOf = (nonce: string, sent: unknown): string =>
  createHash('sha256').update(Buffer.from(nonce, 'hex')).update(canonicalJson(sent)).digest('hex');

describe('a picture of 3 MiB', () => {
  test.each([
    [
      'in Markdown',
      `Before ![chart](${URI}) after: jane.roe@example.org`,
      `Before ![chart](${REFERENCE}) after: jane.roe@example.org`,
    ],
    [
      'in a message',
      [
        {
          role: 'user',
          content: [
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: PICTURE.toString('base64') },
            },
            { type: 'text', text: 'What is this? jane.roe@example.org' },
          ],
        },
      ],
      `[user]\n${REFERENCE}\nWhat is this? jane.roe@example.org`,
    ],
    [
      'in a message of another interface',
      [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: URI } },
            { type: 'text', text: 'Look' },
          ],
        },
      ],
      `[user]\n${REFERENCE}\nLook`,
    ],
    [
      'in messages that are a text',
      JSON.stringify([
        {
          role: 'user',
          parts: [{ inline_data: { mime_type: 'image/png', data: PICTURE.toString('base64') } }],
        },
      ]),
      `[{"role":"user","parts":[{"inline_data":{"mime_type":"image/png","data":"${REFERENCE}"}}]}]`,
    ],
  ])('%s is stored as a reference, and the receipt covers the body as sent', async (_, prompt, stored) => {
    const triplet = { ...TRIPLET, prompt };
    const answer = await ingest(triplet);
    expect(answer.status).toBe(202);
    const { receipt, auditId } = answer.body.data;
    expect(await sealedTexts(auditId)).toMatchObject({ prompt: stored, response: 'Hi' });
    expect(receipt.payloadDigest).toBe(digestOf(receipt.nonce, triplet));
  });

  test('with escaped slashes is digested as canonical JSON', async () => {
    const triplet = { ...TRIPLET, prompt: URI };
    const answer = await ingest(JSON.stringify(triplet).replaceAll('/', '\\/'));
    expect(answer.status).toBe(202);
    const { receipt, auditId } = answer.body.data;
    expect((await sealedTexts(auditId)).prompt).toBe(REFERENCE);
    expect(receipt.payloadDigest).toBe(digestOf(receipt.nonce, triplet));
  });

  test('is accepted in a batch, between items with their own errors', async () => {
    const large = { ...TRIPLET, response: URI };
    const items = [TRIPLET, large, { ...TRIPLET, response: 'x y '.repeat(MIB) }, TRIPLET];
    for (const answer of [
      await world.send(items),
      await world.sendLines(items.map((one) => JSON.stringify(one))),
    ]) {
      expect(answer.status).toBe(202);
      expect(resultsOf(answer).map(({ error }) => error?.code ?? 'QUEUED')).toEqual([
        'QUEUED',
        'QUEUED',
        'BODY_TOO_LARGE',
        'QUEUED',
      ]);
      expect((await sealedTexts(idsOf(answer)[1]!)).response).toBe(REFERENCE);
    }
  });

  test('makes a different body for an Idempotency-Key than another picture or its own reference', async () => {
    const key = { 'idempotency-key': 'pictures' };
    expect((await ingest({ ...TRIPLET, prompt: URI }, key)).status).toBe(202);
    expect((await ingest({ ...TRIPLET, prompt: URI }, key)).headers['idempotent-replayed']).toBe('true');
    const other = `data:image/png;base64,${png(3 * MIB, 'other').toString('base64')}`;
    for (const prompt of [other, REFERENCE])
      expect((await ingest({ ...TRIPLET, prompt }, key)).status).toBe(422);
  });
});

test('text of more than 2 MiB is refused, and the message names the field', async () => {
  for (const [name, triplet] of [
    ['prompt', { ...TRIPLET, prompt: 'a b '.repeat(MIB) }],
    ['response', { ...TRIPLET, response: 'a b '.repeat(MIB) }],
    ['content', { ...TRIPLET, prompt: [{ role: 'user', content: `${URI} ${'a b '.repeat(MIB)}` }] }],
  ] as const)
    expect(await ingest(triplet)).toMatchObject({
      status: 413,
      body: {
        code: 'BODY_TOO_LARGE',
        message: expect.stringMatching(
          new RegExp(`longest is in ${name}\\. .*replace a file with a reference`),
        ),
      },
    });
});

test('a small picture is replaced too, and text declared as a picture is not', async () => {
  const small = png(200, 'small');
  const text = Buffer.from('The card is 4111 1111 1111 1111. '.repeat(9)).toString('base64');
  const prompt = `data:image/png;base64,${small.toString('base64')} data:image/png;base64,${text}`;
  const { body } = await ingest({ ...TRIPLET, prompt });
  const stored = (await sealedTexts(body.data.auditId)).prompt;
  expect(stored).toMatch(/^\[image\/png; bytes=200; sha256:[0-9a-f]{64}\] data:/);
  expect(stored).toContain(text);
});

test('a scan searches the text around a picture, and keeps the picture in the clean prompt', async () => {
  const uri = `data:image/png;base64,${png(9_000, 'scan').toString('base64')}`;
  const userInput = `![x](${uri}) Write to jane.roe@example.org`;
  const answer = await world.harness.call({
    method: 'POST',
    url: '/guardian/scan',
    headers: { ...world.customer.headers, 'content-type': 'application/json' },
    payload: JSON.stringify({ sandbox: 'support', userInput }),
  });
  expect(answer.body.violations).toEqual(['EMAIL']);
  expect(answer.body.cleanPrompt).toContain(uri);
  const [entity] = answer.body.detectedEntities;
  expect(userInput.slice(entity.start, entity.end)).toBe('jane.roe@example.org');
});
