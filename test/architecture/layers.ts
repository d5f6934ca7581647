/** Shipped folders, from the bottom up. */
export const SHIPPED = [
  'schemas',
  'core',
  'platform',
  'records',
  'detection',
  'services',
  'app',
  'cli',
  'deploy',
  'page',
  'web',
] as const;
