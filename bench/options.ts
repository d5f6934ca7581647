import { parseArgs } from 'node:util';
import { printError } from '../cli/command/output.ts';
import { PROGRAMS } from './programs.ts';

type Defaults = Readonly<Record<string, number | boolean | string | null>>;
/** Numbers and switches keep their type; null stands for an optional text. */
type Values<D extends Defaults> = {
  readonly [Name in keyof D]: D[Name] extends number
    ? number
    : D[Name] extends boolean
      ? boolean
      : string | undefined;
};

/** Parses command-line options by their defaults, and the positional arguments; exits on an unknown option. */
export function optionsOf<const D extends Defaults>(
  program: string,
  defaults: D,
): { readonly values: Values<D>; readonly positionals: readonly string[] } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(defaults).map(([name, value]) => [
          name,
          { type: typeof value === 'boolean' ? 'boolean' : 'string' } as const,
        ]),
      ),
    });
    const all = Object.entries(defaults).map(([name, fallback]) => {
      const given = values[name] ?? fallback ?? undefined;
      return [name, typeof fallback === 'number' ? numberOf(name, given) : given];
    });
    return { values: Object.fromEntries(all) as Values<D>, positionals };
  } catch (error) {
    printError(
      `${(error as Error).message}\nusage: npm run bench -- ${program} ${PROGRAMS[program]!.options}`,
    );
    process.exit(1);
  }
}

function numberOf(name: string, given: unknown): number {
  const number = Number(given);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} takes a number, not "${given}"`);
  return number;
}
