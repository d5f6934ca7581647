import words from '../lists/issuers.json' with { type: 'json' };
/**
 * Services whose keys have no format of their own (hexadecimal digits, UUIDs): only the service's name before a key
 * says what it is.
 */
export const ISSUERS: readonly string[] = words.issuers;
