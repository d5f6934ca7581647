import { expect, test } from '#jest';
import {
  APPEND_POINTS,
  CHECKPOINT_POINTS,
  ERASURE_POINTS,
  FLUSH_POINTS,
  PACKAGE_POINTS,
  RETENTION_POINTS,
  SIGNAL_ERASURE_POINTS,
} from '../failures/kill/points.ts';
import { readModules } from './modules.ts';

const SERVICE = /^(?:app|platform|records|services)\//;
const POINT = /'((?:api|sink)\.[a-z-]+)'/g;
/** A flush step is named after its inserts: `sink.before-${step}`. */
const STEP = /'(content|ledger|tombstones|audits|positions)', dependencies, \[/g;

test('probes in the service and the points where tests kill it are the same', () => {
  const passed = readModules()
    .filter(({ file, text, isTest }) => SERVICE.test(file) && !isTest && text.includes('probe'))
    .flatMap(({ text }) => [
      ...[...text.matchAll(POINT)].map(([, point]) => point),
      ...[...text.matchAll(STEP)].flatMap(([, step]) => [`sink.before-${step}`, `sink.after-${step}`]),
    ]);
  const killed = [
    FLUSH_POINTS,
    APPEND_POINTS,
    CHECKPOINT_POINTS,
    ERASURE_POINTS,
    SIGNAL_ERASURE_POINTS,
    RETENTION_POINTS,
    PACKAGE_POINTS,
  ].flat();
  expect(passed.sort()).toEqual(killed.sort());
});
