import words from '../lists/issuers.json' with { type: 'json' };
/**
 * Services whose keys have no distinctive format (hexadecimal digits, UUIDs), so only the service's name before a key
 * identifies it.
 */
export const ISSUERS: readonly string[] = words.issuers;
