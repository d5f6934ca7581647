/** Descriptions of parameters that mean the same everywhere; one that differs has its own in its schema. */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  id: 'id of the record; of a sandbox its slug as well',
  version: 'number of the version',
  keyId: 'id of the API key',
  file: 'name of a file that the page refers to',
  page: 'name of a page of the dashboard',
  sandboxSlug: 'only those of this sandbox; - and _ count as equal',
  provider: 'only those of this provider',
  model: 'only those of this model',
  riskLevel: 'only those of this level, or of these, separated by commas',
  violation: 'only those with this code',
  status: 'only those with this status',
  severity: 'only those of this severity',
  signalId: 'only those of this signal',
  reason: 'only those that failed for this reason',
  interval: 'length of a point',
  mode: 'how the chain is verified: `full` hashes every stored entry again',
};
