/**
 * Folders that still import each other in a circle. A circle may only lose folders: take one out here when it has left,
 * and add none. `npm run check:house -- --list` shows the imports that close each.
 */
export const FOLDER_CIRCLES: readonly (readonly string[])[] = [
  [
    'services/sink',
    'services/sink/audits',
    'services/sink/findings',
    'services/sink/flush',
    'services/sink/fold',
    'services/sink/jobs',
    'services/sink/start',
    'services/sink/trees',
  ],
  ['services/correlator', 'services/correlator/patterns', 'services/correlator/policies'],
  ['services/analyzer', 'services/analyzer/steps'],
];
