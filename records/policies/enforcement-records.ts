import { changeDocument } from '#platform/state/change-document.ts';
import { type Collection, customerCollection, DELETED } from '#platform/state/collection.ts';
import type { Documents, DocumentWrite, StoredDocument } from '#platform/state/port.ts';

/** Records of enforcing a customer's policies. */

/** Document, id = customer id: how far its ledger was compared with its policies; absent: it has no enforced policy. */
export const POLICY_PROGRESS = 'policyProgress';
/** Document, id = policy id: per digest of an enforced rule, the id of the incident that it last opened or found. */
const RULE_INCIDENTS = 'ruleIncidents';
/** `true`, id = `<policy id>:<time, Unix ms>:<incident id>`, so that reports count incidents without reading them. */
const POLICY_INCIDENTS = 'policyIncidents';

export const ENFORCEMENT_COLLECTIONS: readonly Collection[] = [
  customerCollection(POLICY_PROGRESS, DELETED),
  customerCollection(RULE_INCIDENTS, DELETED),
  customerCollection(POLICY_INCIDENTS, DELETED),
];

export interface PolicyProgress {
  /** Epoch of the log when the entry was folded. */
  readonly epoch: number;
  /** The last compared entry. */
  readonly index: number;
  /** Its hash in the chain, to detect another ledger. */
  readonly hash: string;
}

export const readProgress = (
  documents: Pick<Documents, 'get'>,
  customerId: string,
): Promise<StoredDocument<PolicyProgress> | null> =>
  documents.get({ scope: customerId, collection: POLICY_PROGRESS, id: customerId });

/** False: another process was faster. */
export async function writeProgress(
  documents: Pick<Documents, 'write'>,
  customerId: string,
  expectedVersion: number,
  value: PolicyProgress | null,
): Promise<boolean> {
  const outcome = await documents.write(customerId, [
    { collection: POLICY_PROGRESS, id: customerId, expectedVersion, value },
  ]);
  return outcome.ok;
}

/** The fields of a rule needed to record its incident. */
interface NotedRule {
  readonly policyId: string;
  readonly digest: string;
}

/** Id of the incident that a rule last opened or found. */
export async function incidentOfRule(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  { policyId, digest }: NotedRule,
): Promise<string | null> {
  const stored = await documents.get<RuleIncidents>(ruleIncidentsRef(customerId, { policyId }));
  return stored?.value[digest] ?? null;
}

/** Rules of a policy, across all its versions, whose incidents are kept: the last ones recorded. */
const MAX_NOTED_RULES = 256;

/** Incident id per digest of a rule. */
type RuleIncidents = Readonly<Record<string, string>>;

const ruleIncidentsRef = (customerId: string, { policyId }: Pick<NotedRule, 'policyId'>) => ({
  scope: customerId,
  collection: RULE_INCIDENTS,
  id: policyId,
});

function withIncident(
  stored: StoredDocument<RuleIncidents> | null,
  { digest }: NotedRule,
  incidentId: string,
): RuleIncidents {
  const others = Object.entries(stored?.value ?? {}).filter(([known]) => known !== digest);
  return Object.fromEntries([...others, [digest, incidentId]].slice(-MAX_NOTED_RULES));
}

/** Records the incident of a rule. */
export const noteRuleIncident = (
  documents: Pick<Documents, 'get' | 'write'>,
  customerId: string,
  rule: NotedRule,
  incidentId: string,
): Promise<void> =>
  changeDocument<RuleIncidents>({ documents }, ruleIncidentsRef(customerId, rule), (stored) => ({
    value: withIncident(stored, rule, incidentId),
    result: undefined,
  }));

/** The same as part of the write that opens the incident. */
export async function ruleIncidentWrite(
  documents: Pick<Documents, 'get'>,
  customerId: string,
  rule: NotedRule,
  incidentId: string,
): Promise<DocumentWrite> {
  const ref = ruleIncidentsRef(customerId, rule);
  const stored = await documents.get<RuleIncidents>(ref);
  const value = withIncident(stored, rule, incidentId);
  return { collection: ref.collection, id: ref.id, expectedVersion: stored?.version ?? 0, value };
}

/** Counts an incident as opened by the policy. */
export const policyIncidentWrite = (policyId: string, incidentId: string, at: number): DocumentWrite => ({
  collection: POLICY_INCIDENTS,
  id: `${policyId}:${at}:${incidentId}`,
  value: true,
});

/** Number of incidents that a policy opened between two times (Unix ms, inclusive). Does not read any incident. */
export async function incidentsOpenedBy(
  documents: Pick<Documents, 'ids'>,
  customerId: string,
  policyId: string,
  { from = 0, to }: { readonly from?: number | undefined; readonly to: number },
): Promise<number> {
  const ids = await documents.ids(customerId, POLICY_INCIDENTS);
  const times = ids.filter((id) => id.startsWith(`${policyId}:`)).map((id) => Number(id.split(':')[1]));
  return times.filter((at) => at >= from && at <= to).length;
}
