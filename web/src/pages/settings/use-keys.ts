import type { listOwnApiKeys } from '#schemas/api/accounts/api-keys.ts';
import { type PagesOf, usePages } from '../../api/use-pages.ts';

export const KEYS_PATH = '/api-keys';
const ROWS_AT_ONCE = 20;

/** API keys, newest first, revoked ones too. */
export const useKeys = (): PagesOf<typeof listOwnApiKeys> =>
  usePages<typeof listOwnApiKeys>(KEYS_PATH, {}, { rowsAtOnce: ROWS_AT_ONCE });
