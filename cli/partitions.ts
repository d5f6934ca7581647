import { writeFileSync } from 'node:fs';
import os from 'node:os';
import type { Command } from 'commander';
import type { ShownLoss, StoppedPartition } from '#schemas/api/partitions.ts';
import {
  acceptLoss,
  getStoppedPartition,
  getStoppedRecord,
  listStoppedPartitions,
} from '#schemas/endpoints.ts';
import { wholeNumber } from './command/arguments.ts';
import { internalClient } from './command/client.ts';
import { fileFault } from './command/file-fault.ts';
import { addExamples } from './command/help.ts';
import { minuteOf, print, printJson, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

/** `cas partitions`: stopped partitions of a running service, through its internal API. */
export function partitionsCommand(program: Command, settings: SettingsReader): void {
  const partitions = program
    .command('partitions')
    .summary('list and resume stopped partitions')
    .description(
      'List stopped partitions with the reason and what to do, and accepted losses. Needs the DATA_DIR or INTERNAL_SECRET of the service.',
    )
    .action(async () => {
      const { body } = await internalClient(settings()).call(listStoppedPartitions);
      printStops(body.data as unknown as StoppedPartition[]);
      printLosses(body.losses as unknown as ShownLoss[]);
    });
  addExamples(partitions, [
    ['cas partitions', 'what is stopped, why, and what to do'],
    ['cas partitions show audit.ledger 3'],
  ]);

  const show = partitions
    .command('show')
    .argument('<topic>', 'topic, such as audit.ledger')
    .argument('<partition>', 'number of the partition', wholeNumber())
    .summary('show what stopped a partition')
    .description(
      'Print why a partition is stopped and where its record is, as JSON. The content of the record is never shown.',
    )
    .option('--save <file>', 'save the record to a file, still encrypted')
    .action(async (topic: string, partition: number, { save }: { save?: string }) => {
      const client = internalClient(settings());
      const sent = { params: { topic, partition: String(partition) } };
      if (save === undefined) {
        printJson((await client.call(getStoppedPartition, sent)).body.data);
        return;
      }
      const { body } = await client.call(getStoppedRecord, sent);
      writeRecord(save, body.data);
      print(`Saved the record at offset ${String(body.offset)} to ${save}. Digest: ${String(body.digest)}`);
    });
  addExamples(show, [
    ['cas partitions show audit.ledger 3'],
    ['cas partitions show audit.ledger 3 --save record.json'],
  ]);
  acceptCommand(partitions, settings);
}

function acceptCommand(partitions: Command, settings: SettingsReader): void {
  const accept = partitions
    .command('accept')
    .argument('<topic>', 'topic, such as audit.ledger')
    .argument('<partition>', 'number of the partition', wholeNumber())
    .summary('accept a loss and resume a partition')
    .description(
      'Resume a partition without the record that stopped it. The ledger records the loss. This cannot be undone.',
    )
    .requiredOption('--offset <number>', 'offset of the record, or of the first missing one', wholeNumber())
    .option('--digest <hex>', 'digest of the record, from "cas partitions show"; not for missing records')
    .requiredOption('--reason <text>', 'why the loss is accepted')
    .option('--by <name>', 'who accepts it (default: your user name)')
    .action(async (topic: string, partition: number, options: AcceptOptions) => {
      const { by = userName(), ...loss } = options;
      const answer = await internalClient(settings()).call(acceptLoss, {
        params: { topic, partition: String(partition) },
        body: { ...loss, ...(by === undefined ? {} : { acceptedBy: by }) },
      });
      printJson(answer.body.data);
      print('\nThe partition resumes within seconds. Check with "cas partitions".');
    });
  addExamples(accept, [
    [
      'cas partitions accept audit.ledger 3 --offset 4711 \\\n    --digest 9f86... --reason "Disk failure of 3 November"',
    ],
  ]);
}

/** Readable only by its owner; an existing file is never overwritten. */
function writeRecord(file: string, record: unknown): void {
  try {
    writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new Error(`Cannot save to ${file}: ${fileFault(error)}`);
  }
}

interface AcceptOptions {
  readonly offset: number;
  readonly digest?: string;
  readonly reason: string;
  readonly by?: string;
}

/** The user who runs the command; undefined in a container without a user name, where the service names the actor. */
function userName(): string | undefined {
  try {
    return os.userInfo().username;
  } catch {
    return undefined;
  }
}

/** `until`: the first offset after the range. */
const range = (from: number, until: number): string =>
  until === from + 1 ? String(from) : `${from} to ${until - 1}`;

function printStops(stops: readonly StoppedPartition[]): void {
  if (stops.length === 0) {
    print('No stopped partitions.');
    return;
  }
  printTable(
    ['topic', 'partition', 'group', 'reason', 'since (UTC)', 'offset'],
    stops.map((stop) => [
      stop.topic,
      stop.partition,
      stop.group,
      stop.reason,
      minuteOf(stop.since),
      stop.untilOffset === null || stop.offset === null
        ? (stop.offset ?? '')
        : range(stop.offset, stop.untilOffset),
    ]),
  );
  print('\nWhat to do:');
  for (const { topic, partition, group, message, acceptable } of stops) {
    print(`\n${topic} ${partition} (${group}): ${message}`);
    if (acceptable) {
      print(
        `To resume without the record: "cas partitions show ${topic} ${partition}", then "cas partitions accept".`,
      );
    }
  }
}

function printLosses(losses: readonly ShownLoss[]): void {
  if (losses.length === 0) return;
  print('\nAccepted losses:');
  printTable(
    ['topic', 'partition', 'offsets', 'cause', 'accepted (UTC)', 'by', 'entry'],
    losses.map((loss) => [
      loss.topic,
      loss.partition,
      range(loss.offset, loss.untilOffset),
      loss.cause,
      minuteOf(loss.acceptedAt),
      loss.acceptedBy,
      loss.entryId ?? 'none',
    ]),
  );
}
