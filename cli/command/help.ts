import type { Command, HelpConfiguration } from 'commander';

/** A command as it is typed, and what it does, if that is not plain. */
export type Example = readonly [command: string, what?: string];

/** Lists name commands without their options; each command's own help has these. */
export const HELP: HelpConfiguration = {
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
};

/** Adds examples below the help of a command, and then more text. */
export function addExamples(command: Command, examples: readonly Example[], ...more: string[]): Command {
  const width = Math.max(...examples.map(([typed]) => typed.length));
  const lines = examples.map(([typed, what]) =>
    what === undefined ? `  ${typed}` : `  ${typed.padEnd(width)}  ${what}`,
  );
  const parts = [[examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n'), ...more];
  return command.addHelpText('after', `\n${parts.join('\n\n')}`);
}
