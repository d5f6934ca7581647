import type { Command, HelpConfiguration } from 'commander';

/** A command as typed, and what it does if that is not obvious. */
export type Example = readonly [command: string, what?: string];

/** Lists show commands without their options, which are in each command's own help. */
export const HELP: HelpConfiguration = {
  subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
};

/** Adds examples, and then more text, below a command's help. */
export function addExamples(command: Command, examples: readonly Example[], ...more: string[]): Command {
  const width = Math.max(...examples.map(([typed]) => typed.length));
  const lines = examples.map(([typed, what]) =>
    what === undefined ? `  ${typed}` : `  ${typed.padEnd(width)}  ${what}`,
  );
  const parts = [[examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n'), ...more];
  return command.addHelpText('after', `\n${parts.join('\n\n')}`);
}
