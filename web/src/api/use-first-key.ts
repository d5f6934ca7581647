import { useQuery } from '@tanstack/react-query';

export const FIRST_KEY = ['first-api-key'] as const;

/** The API key that sign-up made in this page; null: there was none. */
export const useFirstKey = (): string | null =>
  useQuery<string | null>({ queryKey: FIRST_KEY, queryFn: () => null, enabled: false }).data ?? null;
