import type { AuditorPermission } from '#schemas/vocabulary.ts';

/** What a permission of an auditor opens, in words. */
export const PERMISSION_LABELS: Readonly<Record<AuditorPermission, string>> = {
  READ_SIGNALS: 'Signals',
  READ_ATTESTATIONS: 'Controls and coverage',
  READ_INCIDENTS: 'Incidents with their histories',
  VERIFY_HASH_CHAIN: 'Verify the hash chain, checkpoints and proofs',
  DOWNLOAD_PACKAGES: 'Evidence packages',
};
