import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DETECTOR_RELEASE } from '#core/detect/detect.ts';
import { coreHash } from '#core/evidence/hashing.ts';
import { beforeAll, describe, expect, test } from '#jest';
import { packageRoot } from '#platform/config/package-root.ts';
import type { LedgerDraft } from '#schemas/events/events.ts';
import { ERASED_KINDS } from '#schemas/vocabulary.ts';
import { EMITTED, emittedDrafts } from './emitted.ts';

/** The service's ledger entries have exactly the bytes of these recorded fixtures. */

const FIXTURES = path.join(packageRoot(), 'schemas/ledger/fixtures');
let made: ReadonlyMap<string, LedgerDraft>;

beforeAll(async () => {
  made = await emittedDrafts();
});

/** The detectors' release is part of `policyVersion` and changes occasionally. */
function ofThisRelease(draft: Record<string, string>): Record<string, string> {
  const core = draft.core!.replace(/"policyVersion":"7\.[^"]*"/, `"policyVersion":"7.${DETECTOR_RELEASE}"`);
  return {
    ...draft,
    core,
    coreHash: coreHash(Buffer.from(draft.coreSalt!, 'hex'), core).toString('hex'),
  };
}

test('every emitter ran', () => expect([...made.keys()]).toEqual(EMITTED));

test('erasing a customer covers every emitted kind (ERASED_KINDS of schemas/vocabulary.ts)', () => {
  const emitted = [...made.values()].map(({ kind }) => kind);
  expect(ERASED_KINDS).toEqual(expect.arrayContaining(emitted));
});

describe('the emitter reproduces the exact bytes of', () => {
  test.each(EMITTED)('%s', (name) => {
    const { draft } = JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8')) as {
      draft: Record<string, string>;
    };
    const hexed = Object.entries(made.get(name)!).map(([part, value]) => [
      part,
      Buffer.isBuffer(value) ? value.toString('hex') : value,
    ]);
    expect(Object.fromEntries(hexed)).toEqual(ofThisRelease(draft));
  });
});
