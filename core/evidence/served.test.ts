import { expect, test } from '#jest';
import { erasedDetail, servedCore, servedDetail } from './served.ts';
import { sampleCore, sampleDetail, sampleDraft, storedRows } from './testing/sample-chain.ts';

const [row] = storedRows([sampleDraft(0, 'SIGNAL')]).signals;

test('a row is served with the columns of its version, and of no later one', () => {
  expect(servedCore(row!)).toEqual(sampleCore(0));
  expect(servedDetail(row!)).toStrictEqual({ ...sampleDetail(0) });
  expect(erasedDetail(row!)).toStrictEqual({ reasoning: null, detections: [], payloadDigest: null });
});

test('a row stored by the sink of a newer release is served with the columns known here', () => {
  const added = { fingerprint: 'ab'.repeat(32) };
  const newer = { ...row!, v: 99, ...added, suppressed: '[]', confidences: [0.9] };
  expect(servedCore(newer)).toEqual(sampleCore(0));
  expect(servedDetail(newer)).toEqual({ ...sampleDetail(0), ...added, suppressed: [], confidences: [0.9] });
});
