export const SANDBOXES = '/sandboxes';

/** Of one sandbox, by id or slug. */
export const sandboxPath = (slug: string): string => `${SANDBOXES}/${encodeURIComponent(slug)}`;
