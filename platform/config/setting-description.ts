import type { z } from 'zod';
import type { RoleName } from './roles.ts';

/** One setting: its description for people, and the schema of its text. */
export interface SettingDescription {
  readonly description: string;
  readonly byDefault: string;
  readonly schema: z.ZodType;
  /** Roles that share the setting with other processes, so they need it and cannot generate it themselves. */
  readonly neededBy?: readonly RoleName[];
  /** A secret: `<NAME>_FILE` may name a file that contains it instead. */
  readonly secret?: true;
  /** The lower-case name is read too and takes precedence, as in other programs. */
  readonly isLowerCaseToo?: true;
  /** The value names a file that contains the setting. */
  readonly file?: true;
  /** The file contains a key: other users may not read it, like the file of a secret. */
  readonly privateFile?: true;
}

/** Settings by name; keeps the precise type of each. */
export const described = <const Settings extends Record<string, SettingDescription>>(
  settings: Settings,
): Settings => settings;
