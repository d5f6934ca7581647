import { z } from 'zod';
import { queryInteger } from './fields.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
/** Deepest row that `page` can reach; use a cursor for later rows. */
export const MAX_OFFSET = 100_000;

const positive = (fallback: number, description: string) =>
  queryInteger(1)
    .optional()
    .transform((value) => value ?? fallback)
    .meta({ description, default: fallback });

/** Query parameters of a list. A limit above the maximum is reduced to it. */
export const pageQueryOf = (defaultLimit: number) => ({
  page: positive(1, `page x limit may not exceed ${MAX_OFFSET}; read on with cursor`),
  limit: positive(defaultLimit, `rows of a page; above ${MAX_LIMIT} it is lowered`).transform((limit) =>
    Math.min(limit, MAX_LIMIT),
  ),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .meta({ description: '`pagination.nextCursor` of the previous page; instead of page' }),
});

/** For lists that return their rows under two names. */
export const rowsOnce = {
  rows: z.enum(['once']).optional().meta({
    description:
      '`once`: the rows stand under `data` alone, which halves the answer; without it they stand under a second name as well',
  }),
};

/** Default for lists. */
export const pageQuery = pageQueryOf(DEFAULT_LIMIT);

export const pagination = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    pages: z.int(),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Pagination' });
export type Pagination = z.output<typeof pagination>;

export interface PageRequest {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}
