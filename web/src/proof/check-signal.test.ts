import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '#jest';
import type { InclusionProof } from '#schemas/api/evidence/hash-chain-proofs.ts';
import type { Signal } from '#schemas/api/signals.ts';
import { KINDS } from '#schemas/ledger/kinds.ts';
import { checkSignal } from './check-signal.ts';

interface Fixture {
  readonly given: { readonly core: object; readonly detail: object };
  readonly draft: Pick<InclusionProof, 'coreHash' | 'coreSalt' | 'detailHash' | 'detailSalt'>;
  readonly leaf: InclusionProof['leaf'];
}

const FIXTURES = pathToFileURL(path.resolve('schemas/ledger/fixtures/') + path.sep);

/** Faults in the core and the detail of a signal as served, with `more` added. */
function faultsOf(v: number, more: Partial<Signal> = {}): (string | null)[] {
  const file = new URL(`SIGNAL.v${v}.json`, FIXTURES);
  const { given, draft, leaf } = JSON.parse(readFileSync(file, 'utf8')) as Fixture;
  const signal = { ...given.core, ...given.detail, ...more } as unknown as Signal;
  const { steps } = checkSignal(signal, { ...draft, leaf } as InclusionProof, []);
  return steps.slice(1, 3).map(({ fault }) => fault);
}

const OTHER = 'it doesn’t match';

test.each(KINDS.SIGNAL.read.map(({ v }) => v))('accepts a signal of version %i as hashed', (v) => {
  expect(faultsOf(v)).toEqual([null, null]);
  expect(faultsOf(v, { confidence: 0.5 })).toEqual([OTHER, null]);
  expect(faultsOf(v, { detections: [] })).toEqual([null, OTHER]);
});

test('rejects a changed confidence of a detection', () => {
  expect(faultsOf(4, { confidences: [0.3, 1] })).toEqual([null, OTHER]);
  expect(faultsOf(4, { confidences: [] })).toEqual([null, OTHER]);
  expect(faultsOf(4, { confidences: undefined })).toEqual([null, 'it can’t be read']);
});
