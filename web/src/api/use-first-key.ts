import { useQuery } from '@tanstack/react-query';

export const FIRST_KEY = ['first-api-key'] as const;

/** The API key created by sign-up in this page; null when there is none. */
export const useFirstKey = (): string | null =>
  useQuery<string | null>({ queryKey: FIRST_KEY, queryFn: () => null, enabled: false }).data ?? null;
