import { expect, test } from '#jest';
import { type Counted, countForwarded, forwardMetrics } from './forwarded-metrics.ts';
import { createMetrics } from './metrics.ts';

test('counts from another thread appear in the registry like local ones', async () => {
  const [here, there] = [createMetrics(), createMetrics()];
  const sent: Counted[] = [];
  const forwarded = forwardMetrics((counted) => sent.push(...structuredClone(counted)));
  for (const metrics of [here, forwarded.metrics]) {
    const stream = metrics.stream('sink');
    stream.records?.('t', 'ok', 3);
    stream.batch?.('t', 3, 12);
    stream.outage?.('t');
    stream.lag?.('t', 7, 5);
    stream.stopped?.('t', 7, 'CORE_HASH', true);
    stream.stopped?.('t', 8, 'CORE_HASH', true);
    stream.stopped?.('t', 8, 'CORE_HASH', false);
    metrics.sink.flush(40, 250);
    metrics.sink.repeats(2);
    metrics.sink.unreadable('t', 1);
    metrics.judge.call('audit', 'timeout', 900);
    metrics.judge.notJudged('OVER_BUDGET', 3);
    metrics.stages.ended('detect:names', 64, 12);
    metrics.lost(4);
  }
  expect(sent).toEqual([]);
  forwarded.stop();
  countForwarded(there, sent);
  const counted = async ({ registry }: typeof here) =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => /^cas_(consumer|sink|stage|judge|audits)/.test(line));
  expect(await counted(there)).toEqual(await counted(here));
  expect((await counted(there)).filter((line) => line.includes('partition_stopped{'))).toEqual([
    'cas_consumer_partition_stopped{group="sink",topic="t",partition="7",reason="CORE_HASH"} 1',
  ]);
  expect((await counted(there)).join('\n')).toContain('cas_audits_lost_total 4');
  expect(await counted(there)).toContain('cas_stage_audits_total{stage="detect:names"} 64');
  expect(await counted(there)).toContain('cas_stage_duration_seconds_sum{stage="detect:names"} 0.012');
  expect(await counted(there)).toContain('cas_judge_unanswered_total{reason="over_budget"} 3');
});
