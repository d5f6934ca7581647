import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { targetOf } from '#schemas/api/openapi/request.ts';
import { detectCorrelations, getCorrelation, listCorrelations } from '#schemas/endpoints.ts';
import { createClient, internalClient, serviceUrl } from '../../command/client.ts';
import { print } from '../../command/output.ts';
import type { SettingsReader } from '../../command/settings.ts';
import { createDemoCustomer, createDemoSandboxes } from '../steps/customer.ts';
import { type Data, heading, listOf, untilThere } from '../steps/desk.ts';
import { ingestLines } from '../steps/ingest.ts';
import { startServiceIfNone } from '../steps/service.ts';
import { campaignAmongQuestions } from './traffic.ts';

interface Pattern {
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly count: number;
  readonly baseline: number;
  readonly observed: number;
  readonly score: number;
  readonly test: string;
  readonly pValue: number;
  readonly riskLevel: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly signalIds: readonly string[];
  readonly description: string;
}

const campaignOf = (found: readonly Data[]): Pattern | null =>
  found.flatMap(({ patterns }) => (patterns ?? []) as Pattern[]).find(({ type }) => type === 'CAMPAIGN') ??
  null;

function printPattern({ id, description, ...pattern }: Pattern): void {
  print(`       ${description}`);
  print(`       id ${id}, key ${pattern.key}`);
  print(
    `       ${pattern.count} signals, of ${pattern.riskLevel} risk at most, score ${pattern.score}; ` +
      `${pattern.test}: ${pattern.observed} where ${pattern.baseline} were to be expected, p = ${pattern.pValue}`,
  );
  print(`       first seen ${pattern.firstSeen}, last ${pattern.lastSeen}`);
}

/** Sends a campaign among ordinary questions, and looks for it as it is found by itself and by a run over history. */
async function campaignDay(settings: Settings, baseUrl: string): Promise<boolean> {
  const verdicts: boolean[] = [];
  const show = (what: string, holds: boolean): void => {
    verdicts.push(holds);
    print(`  ${holds ? 'yes' : 'NO '}  ${what}`);
  };
  const { customerId, key } = await createDemoCustomer(
    internalClient(settings),
    `Patterns ${new Date().toISOString()}`,
  );
  const client = createClient(baseUrl, { [settings.keyHeader]: key });
  await createDemoSandboxes(client);
  const traffic = campaignAmongQuestions();
  const attacks = traffic.filter(({ isAttack }) => isAttack).length;
  print(`Customer ${customerId}, made for this.`);
  heading(
    `1. ${traffic.length - attacks} questions, and among them ${attacks} times the same attack in other words`,
  );
  const ingested = await ingestLines(
    client,
    traffic.map(({ line }) => line),
    randomUUID(),
    () => undefined,
  );
  const sentAt = Date.now();
  const sent = new Set(ingested.filter((_, place) => traffic[place]!.isAttack).map(({ auditId }) => auditId));

  heading('2. What is found as signals come');
  const streamed = await untilThere('the campaign', async () => {
    const found = campaignOf(listOf(await client.call(listCorrelations, { query: { source: 'STREAM' } })));
    return found !== null && found.count >= attacks ? found : null;
  });
  print(`       ${((Date.now() - sentAt) / 1_000).toFixed(1)} s after the last answer:`);
  printPattern(streamed);
  const isOfIt = streamed.signalIds.every((id) => sent.has(id));
  show(
    `the campaign has ${attacks} signals, those of the attack and no other`,
    isOfIt && streamed.count === attacks,
  );

  heading('3. What a run over the same day finds');
  const run = (await client.call(detectCorrelations, { body: {} })).body.data as unknown as Data;
  const detected = campaignOf([run]);
  show(
    `of ${String(run.analyzedSignals)} signals: the same pattern under the same id`,
    detected?.id === streamed.id,
  );
  print(
    `\nLook at it: curl -s ${baseUrl}${targetOf(getCorrelation, { params: { id: streamed.id } })} -H '${settings.keyHeader}: …'`,
  );
  return verdicts.every((holds) => holds);
}

/** `cas demo patterns`: a campaign among ordinary traffic, over HTTP against a running service. */
export function patternsCommand(demo: Command, settings: SettingsReader): void {
  demo
    .command('patterns')
    .description(
      'send a campaign of near-duplicate attacks among ordinary questions, and wait until it is found',
    )
    .action(async () => {
      const read = settings();
      const service = await startServiceIfNone(read, serviceUrl(read));
      try {
        const isFound = await campaignDay(read, service.baseUrl);
        print(
          isFound
            ? '\nThe campaign was found.'
            : '\nIt was not found as it should be: see the lines marked NO.',
        );
        process.exitCode = isFound ? 0 : 1;
      } finally {
        await service.stop();
      }
    });
}
