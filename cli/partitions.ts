import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { ShownLoss, StoppedPartition } from '#schemas/api/partitions.ts';
import {
  acceptLoss,
  getStoppedPartition,
  getStoppedRecord,
  listStoppedPartitions,
} from '#schemas/endpoints.ts';
import { internalClient } from './command/client.ts';
import { print, printJson, printTable } from './command/output.ts';
import type { SettingsReader } from './command/settings.ts';

function offsetNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('give a whole number.');
  return Number(text);
}

/** `cas partitions`: stopped partitions of a running service, through its internal interface. */
export function partitionsCommand(program: Command, settings: SettingsReader): void {
  const partitions = program
    .command('partitions')
    .description('list partitions that cannot go on, look at what stops them, accept a loss')
    .action(async () => {
      const { body } = await internalClient(settings()).call(listStoppedPartitions);
      printStops(body.data as unknown as StoppedPartition[]);
      printLosses(body.losses as unknown as ShownLoss[]);
    });

  partitions
    .command('show <topic> <partition>')
    .description('show what stops a partition: the place of the record, never what it holds')
    .option('--save <file>', 'store the record aside, sealed as it is')
    .action(async (topic: string, partition: string, { save }: { save?: string }) => {
      const client = internalClient(settings());
      const sent = { params: { topic, partition } };
      if (save === undefined) {
        printJson((await client.call(getStoppedPartition, sent)).body.data);
        return;
      }
      const { body } = await client.call(getStoppedRecord, sent);
      // Only its owner can read it, and an existing file is never overwritten.
      writeFileSync(save, `${JSON.stringify(body.data, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      print(`${save} holds the record at offset ${String(body.offset)}, digest ${String(body.digest)}`);
    });

  partitions
    .command('accept <topic> <partition>')
    .description('go on without what stops a partition. There is no way back, and the ledger tells of it')
    .requiredOption('--offset <number>', 'of the record, or of the first one that is missing', offsetNumber)
    .option('--digest <hex>', 'of the record, as "show" prints it; not for records that are missing')
    .requiredOption('--reason <text>', 'why the loss is accepted')
    .option('--by <name>', 'who accepts it (default: the name of who runs this, where it has one)')
    .action(async (topic: string, partition: string, options: AcceptOptions) => {
      const { by = userName(), ...loss } = options;
      const answer = await internalClient(settings()).call(acceptLoss, {
        params: { topic, partition },
        body: { ...loss, ...(by === undefined ? {} : { acceptedBy: by }) },
      });
      printJson(answer.body.data);
      print('\nThe partition goes on within seconds; "cas partitions" shows it.');
    });
}

interface AcceptOptions {
  readonly offset: number;
  readonly digest?: string;
  readonly reason: string;
  readonly by?: string;
}

/** The user who runs the command; undefined in a container without a user name: then the service fills in the actor. */
function userName(): string | undefined {
  try {
    return os.userInfo().username;
  } catch {
    return undefined;
  }
}

function printStops(stops: readonly StoppedPartition[]): void {
  if (stops.length === 0) {
    print('No partition is stopped.');
    return;
  }
  printTable(
    ['topic', 'partition', 'group', 'why', 'since', 'offset'],
    stops.map((stop) => [
      stop.topic,
      stop.partition,
      stop.group,
      stop.reason,
      stop.since,
      stop.untilOffset === null ? (stop.offset ?? '') : `${stop.offset} up to ${stop.untilOffset}`,
    ]),
  );
  print('\nWhat to do:');
  for (const { topic, partition, group, message, acceptable } of stops) {
    print(`\n${topic} ${partition} (${group}): ${message}`);
    if (acceptable) {
      print(
        `Or go on without it: "cas partitions show ${topic} ${partition}", then "cas partitions accept".`,
      );
    }
  }
}

function printLosses(losses: readonly ShownLoss[]): void {
  if (losses.length === 0) return;
  print('\nAccepted losses:');
  printTable(
    ['topic', 'partition', 'offsets', 'cause', 'accepted', 'by', 'entry'],
    losses.map((loss) => [
      loss.topic,
      loss.partition,
      `${loss.offset} up to ${loss.untilOffset}`,
      loss.cause,
      loss.acceptedAt,
      loss.acceptedBy,
      loss.entryId ?? 'none',
    ]),
  );
}
