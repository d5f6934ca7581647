import { targetOf } from '#schemas/api/openapi/request.ts';
import { getErasure, getRetentionStatus, listRetentionPolicies } from '#schemas/endpoints.ts';

const RETENTION = [
  listRetentionPolicies.path,
  getRetentionStatus.path,
  targetOf(getErasure, { params: { id: '' } }),
];

/** Whether a response may differ after a change of policies or an erasure. */
export const isOfRetention = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
  RETENTION.some((path) => String(queryKey[0]).startsWith(path));
