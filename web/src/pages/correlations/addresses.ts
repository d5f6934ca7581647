/** Where the service has findings and runs. */
export const CORRELATIONS = '/evidence/correlations';
