import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Settings } from '#platform/config/settings.ts';
import { RISK_LEVELS } from '#schemas/vocabulary.ts';
import { createClient, internalClient, serviceUrl } from '../../command/client.ts';
import { print, printTable } from '../../command/output.ts';
import type { SettingsReader } from '../../command/settings.ts';
import { createDemoCustomer, createDemoSandboxes } from '../steps/customer.ts';
import { untilThere } from '../steps/desk.ts';
import { ingestLines } from '../steps/ingest.ts';
import { countSignals, readAllSignals, type SignalLine } from '../steps/report.ts';
import { startServiceIfNone } from '../steps/service.ts';
import { ordinaryDay } from './traffic.ts';

const CODES_SHOWN = 4;

/** A line of the table: the signals of one kind of exchanges by level, and the codes that most of them name. */
function rowOf(kind: string, signals: readonly SignalLine[]): (string | number)[] {
  const counts = new Map<string, number>();
  for (const code of signals.flatMap(({ violations }) => violations))
    counts.set(code, (counts.get(code) ?? 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, CODES_SHOWN);
  return [
    kind,
    signals.length,
    signals.filter(({ violations }) => violations.length === 0).length,
    ...RISK_LEVELS.map((level) => signals.filter(({ riskLevel }) => riskLevel === level).length),
    most.map(([code, count]) => `${code} ${count}`).join(', '),
  ];
}

/** Sends an ordinary day and prints what its signals say; returns whether each exchange has one. */
async function firstDay(settings: Settings, baseUrl: string): Promise<boolean> {
  const { customerId, key } = await createDemoCustomer(
    internalClient(settings),
    `Ordinary day ${new Date().toISOString()}`,
  );
  const client = createClient(baseUrl, { [settings.keyHeader]: key });
  await createDemoSandboxes(client);
  const day = ordinaryDay();
  print(`Customer ${customerId}, made for this; ${day.length} exchanges in which nothing is wrong.`);
  const ingested = await ingestLines(
    client,
    day.map(({ line }) => line),
    randomUUID(),
    () => undefined,
  );
  await untilThere('all signals', async () => ((await countSignals(client)) >= day.length ? true : null));
  const signals = await readAllSignals(client);
  const kindOf = new Map(ingested.map(({ auditId }, place) => [auditId, day[place]!.kind]));
  const kinds = [...new Set(day.map(({ kind }) => kind))];
  print('\nWhat their signals say');
  printTable(
    ['kind', 'exchanges', 'nothing found', ...RISK_LEVELS, 'codes'],
    [
      ...kinds.map((kind) =>
        rowOf(
          kind,
          signals.filter(({ auditId }) => kindOf.get(auditId) === kind),
        ),
      ),
      rowOf('all', signals),
    ],
  );
  return signals.length === day.length && signals.every(({ auditId }) => kindOf.has(auditId));
}

/** `cas demo ordinary`: a day without anything wrong, over HTTP against a running service. */
export function ordinaryCommand(demo: Command, settings: SettingsReader): void {
  demo
    .command('ordinary')
    .description('send 500 exchanges of an ordinary working day, and show which signals they raise')
    .action(async () => {
      const read = settings();
      const service = await startServiceIfNone(read, serviceUrl(read));
      try {
        const isComplete = await firstDay(read, service.baseUrl);
        print(
          isComplete ? '\nEvery exchange has its signal.' : '\nSignals are missing, or there are too many.',
        );
        process.exitCode = isComplete ? 0 : 1;
      } finally {
        await service.stop();
      }
    });
}
