import { listOwnApiKeys } from '#schemas/endpoints.ts';
import { type ListQuery, useList } from '../../api/use-list.ts';

const ROWS_AT_ONCE = 20;

/** API keys, newest first, including revoked ones. */
export const useKeys = (): ListQuery<typeof listOwnApiKeys> =>
  useList(listOwnApiKeys, { rowsAtOnce: ROWS_AT_ONCE });
