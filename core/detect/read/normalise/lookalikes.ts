import unicode from '../lists/lookalikes.json' with { type: 'json' };
import own from '../lists/own-lookalikes.json' with { type: 'json' };

/** Letters beyond ASCII that look like one of ASCII, by the letter they look like, as Unicode's table has them. */
export const LOOKALIKES: Readonly<Record<string, string>> = unicode.letters;

/**
 * Letters confusable with a Latin one that Unicode's table does not map to a single ASCII letter: small capitals,
 * letters with a hook, and small Cyrillic and Greek letters that the table treats as small capitals.
 */
export const OWN_LOOKALIKES: Readonly<Record<string, string>> = own;
