/**
 * Descriptions of parameters that mean the same everywhere; a parameter with another meaning is described in its
 * schema.
 */
export const PARAMETER_TEXTS: Readonly<Record<string, string>> = {
  id: 'id of the record; for sandboxes also the slug',
  version: 'version number',
  keyId: 'id of the API key',
  file: 'file name',
  page: 'page of the dashboard',
  sandboxSlug: 'filter by sandbox; - and _ are equivalent',
  provider: 'filter by provider',
  model: 'filter by model',
  riskLevel: 'filter by risk level; several separated by commas',
  violation: 'filter by violation code',
  status: 'filter by status',
  severity: 'filter by severity',
  signalId: 'filter by signal',
  reason: 'filter by reason of the failure',
  interval: 'interval length',
  mode: 'what to verify: `full`, `incremental` or `range`',
};
