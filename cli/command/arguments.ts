import { type Command, InvalidArgumentError, Option } from 'commander';

/** How the usage of a group begins that does nothing without one of its commands. */
export const COMMAND_NEEDED = '<command>';

const HELP_FLAGS = ['-h', '--help'];

/**
 * The arguments as the option parser takes them: `cas help x` is `cas x --help`, and a group alone prints its help. An
 * unknown command is an error with --help too.
 */
export function readArguments(program: Command, given: readonly string[]): string[] {
  let args = [...given];
  let command = program;
  for (const name of given) {
    if (name.startsWith('-') || command.commands.length === 0) return args;
    if (name === 'help') {
      args = [...args.toSpliced(args.indexOf(name), 1), '--help'];
      continue;
    }
    const next = command.commands.find((one) => one.name() === name || one.aliases().includes(name));
    if (next === undefined) return args.filter((one) => !HELP_FLAGS.includes(one));
    command = next;
  }
  return command.usage().startsWith(COMMAND_NEEDED) && !args.includes('--help') ? [...args, '--help'] : args;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A parser of ids, which refuses what cannot be one before anything is sent. `hint`: where to find them. */
export const idArgument =
  (hint: string) =>
  (text: string): string => {
    if (UUID.test(text)) return text;
    throw new InvalidArgumentError(`Give an ID like 01993d5a-7c00-7000-8000-0000000000a7. ${hint}`);
  };

export const customerId = idArgument('"cas accounts list" shows all customers.');

/** A parser of whole numbers from `least` to `most`. */
export const wholeNumber =
  (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? '' : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`Give a whole number${range}.`);
  };

function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/$/, '');
  throw new InvalidArgumentError('Give an address like http://127.0.0.1:8080.');
}

/** `--url`, without a slash at its end. */
export const urlOption = (): Option =>
  new Option('--url <url>', 'address of the service (default: from HOST and PORT)').argParser(serviceAddress);
