import type { listOwnApiKeys } from '#schemas/api/accounts/api-keys.ts';
import { type ListQuery, useList } from '../../api/use-list.ts';

export const KEYS_PATH = '/api-keys';
const ROWS_AT_ONCE = 20;

/** API keys, newest first, revoked ones too. */
export const useKeys = (): ListQuery<typeof listOwnApiKeys> =>
  useList<typeof listOwnApiKeys>(KEYS_PATH, {}, { rowsAtOnce: ROWS_AT_ONCE });
