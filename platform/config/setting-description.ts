import type { z } from 'zod';
import type { RoleName } from './roles.ts';

/** One setting: its description for people, and the schema of its text. */
export interface SettingDescription {
  readonly description: string;
  readonly byDefault: string;
  readonly schema: z.ZodType;
  /** Roles that share it with other processes, and so need it and cannot generate it themselves. */
  readonly neededBy?: readonly RoleName[];
  /** A secret: `<NAME>_FILE` may name a file that holds it instead. */
  readonly secret?: true;
  /** Its name in lower case is read too and counts first, as other programs do. */
  readonly isLowerCaseToo?: true;
  /** The value names a file, whose text is the setting. */
  readonly file?: true;
  /** That file holds a key: other users may not read it, as with the file of a secret. */
  readonly privateFile?: true;
}

/** Settings by name; keeps the precise type of each. */
export const described = <const Settings extends Record<string, SettingDescription>>(
  settings: Settings,
): Settings => settings;
