/** The services that run as separate processes in the distributed profile. */
export const ROLES = ['api', 'analyzer', 'sink', 'correlator'] as const;
export type RoleName = (typeof ROLES)[number];
