import { z } from 'zod';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** Deepest row that `page` reaches; a cursor goes on from there. */
export const MAX_OFFSET = 100_000;

const INTEGER = /^\d{1,9}$/;

const positive = (name: string, fallback: number) =>
  z
    .string()
    .regex(INTEGER, `${name} is a whole number from 1`)
    .optional()
    .transform((text, context) => {
      if (text === undefined) return fallback;
      const value = Number(text);
      if (value < 1) context.addIssue({ code: 'custom', message: `${name} is a whole number from 1` });
      return value;
    });

/** Query parameters of every list. A limit above the maximum is lowered. */
export const pageQuery = {
  page: positive('page', 1),
  limit: positive('limit', DEFAULT_LIMIT).transform((limit) => Math.min(limit, MAX_LIMIT)),
  cursor: z.string().min(1).max(512).optional(),
};

export const pagination = z.object({
  page: z.int(),
  limit: z.int(),
  total: z.int(),
  pages: z.int(),
  nextCursor: z.string().nullable(),
});
export type Pagination = z.output<typeof pagination>;

export interface PageRequest {
  readonly page: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}
