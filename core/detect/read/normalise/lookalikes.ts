import unicode from '../lists/lookalikes.json' with { type: 'json' };
import own from '../lists/own-lookalikes.json' with { type: 'json' };

/** Letters that look like an ASCII letter, keyed by it, from Unicode's confusables table. */
export const LOOKALIKES: Readonly<Record<string, string>> = unicode.letters;

/**
 * Further letters that look like a Latin one, which Unicode's table does not map to a single ASCII letter: small
 * capitals, letters with a hook, and lower-case Cyrillic and Greek letters that the table treats as small capitals.
 */
export const OWN_LOOKALIKES: Readonly<Record<string, string>> = own;
