import type { z } from 'zod';

/** One setting as a person reads about it, and what its text must be. */
export interface SettingDescription {
  readonly group:
    | 'Listening'
    | 'Data and keys'
    | 'Kafka'
    | 'ClickHouse'
    | 'Redis'
    | 'Schema registry'
    | 'Judge'
    | 'Operation'
    | 'Command line'
    | 'Tests';
  readonly description: string;
  readonly byDefault: string;
  readonly schema: z.ZodType;
  /** A secret: `<NAME>_FILE` may name a file that holds it instead. */
  readonly secret?: true;
  /** The value names a file, whose text is what counts. */
  readonly file?: true;
  /** That file holds a key: others may not read it, as with the file of a secret. */
  readonly privateFile?: true;
}

/** Settings by name; what each of them is stays known to the compiler. */
export const described = <const Settings extends Record<string, SettingDescription>>(
  settings: Settings,
): Settings => settings;
