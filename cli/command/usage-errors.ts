import { type Command, CommanderError } from 'commander';
import { printError } from './output.ts';

/** One line per kind of message from the option parser. */
const WORDINGS: readonly (readonly [parsers: RegExp, ours: string])[] = [
  [/^unknown option '(.+)'$/, 'Unknown option $1.'],
  [/^unknown command '(.+)'$/, 'Unknown command "$1".'],
  [/^missing required argument '(.+)'$/, 'Missing argument <$1>.'],
  [/^required option '(.+)' not specified$/, 'Missing option $1.'],
  [/^option '(.+)' argument missing$/, 'Missing value: $1.'],
  [/^option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. (.+)$/, 'Invalid $1 "$2". $3'],
  [/^command-argument value '(.*)' is invalid for argument '(.+)'\. (.+)$/, 'Invalid <$2> "$1". $3'],
  [
    /^too many arguments.* Expected (\d+) arguments? but got (\d+)\.$/,
    'Too many arguments: expected $1, got $2.',
  ],
  [/^option '(--[\w-]+).*' cannot be used with option '(--[\w-]+).*'$/, '$1 cannot be combined with $2.'],
];
const SUGGESTION = /\n?\(Did you mean (?:one of )?(.+)\?\)$/;

/**
 * Turns command-line errors into one line that names the command whose help to read; `readArguments` handles `help`.
 */
export function reportUsageErrors(command: Command): void {
  command
    .helpCommand(false)
    .configureOutput({ outputError: (message) => printError(usageError(command, message)) })
    .exitOverride((error) => {
      throw error;
    });
  for (const one of command.commands) reportUsageErrors(one);
}

/** Whether the option parser has already printed help, the version or an error. */
export const isPrinted = (error: unknown): error is CommanderError => error instanceof CommanderError;

function usageError(command: Command, message: string): string {
  const text = message.trim().replace(/^error: /, '');
  const [, listed = ''] = SUGGESTION.exec(text) ?? [];
  const said = reworded(command, text.replace(SUGGESTION, ''));
  const near = listed === '' ? optionsStartingLike(command, said) : listed.split(', ');
  const question = near.length === 0 ? '' : ` Did you mean ${near.map(quoted).join(' or ')}?`;
  return `cas: ${said}${question} (${pathOf(command)} --help)`;
}

function reworded(command: Command, text: string): string {
  // A group that can run by itself takes an unknown command for an argument.
  if (text.startsWith('too many arguments') && command.commands.length > 0)
    return `Unknown command "${command.args[0]}".`;
  for (const [parsers, ours] of WORDINGS) if (parsers.test(text)) return text.replace(parsers, ours);
  return text;
}

/** The parser suggests names that differ in a few letters; `--risk` for `--risk-level` differs in more. */
function optionsStartingLike(command: Command, said: string): string[] {
  const [, flag, name] = /^Unknown (?:option (--[\w-]+)|command "(.+)")\.$/.exec(said) ?? [];
  const known = flag === undefined ? command.commands.map((one) => one.name()) : flagsOf(command);
  const given = flag ?? name ?? '';
  return given.replace(/^--/, '').length < 2 ? [] : known.filter((one) => one.startsWith(given));
}

const flagsOf = (command: Command): string[] => command.options.flatMap(({ long }) => long ?? []);
const quoted = (name: string): string => (name.startsWith('--') ? name : `"${name}"`);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
