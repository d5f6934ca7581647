import type { KeyAdmission } from '#platform/state/port.ts';

/** Document `API_KEYS`, id = key id. The key itself is never stored. */
export interface ApiKeyRecord extends KeyAdmission {
  readonly id: string;
  readonly name: string;
  /** First 8 characters of the key. */
  readonly prefix: string;
  /** Lower-case hex SHA-256 of the key. */
  readonly keyHash: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}
