import { type Command, InvalidArgumentError, Option } from 'commander';

/** Start of the usage of a group that does nothing without one of its commands. */
export const COMMAND_NEEDED = '<command>';

const HELP_FLAGS = ['-h', '--help'];

/**
 * The arguments for the option parser: `cas help x` becomes `cas x --help`, and a group alone prints its help. An
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

/** A parser of ids that rejects malformed ones before anything is sent. `hint`: where to find them. */
export const idArgument =
  (hint: string) =>
  (text: string): string => {
    if (UUID.test(text)) return text;
    throw new InvalidArgumentError(`Give an ID like 01993d5a-7c00-7000-8000-0000000000a7. ${hint}`);
  };

export const customerId = idArgument('"cas accounts list" shows all customers.');

/** A parser of whole numbers from `min` to `max`. */
export const wholeNumber =
  (min = 0, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? '' : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`Give a whole number${range}.`);
  };

function serviceAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return text.replace(/\/$/, '');
  throw new InvalidArgumentError('Give an address like http://127.0.0.1:8080.');
}

/** `--url`, without a trailing slash. */
export const urlOption = (): Option =>
  new Option('--url <url>', 'address of the service (default: from HOST and PORT)').argParser(serviceAddress);
