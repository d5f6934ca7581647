/** Every page, in the order in which they are offered. */
export const PAGE_GROUPS = [
  {
    title: 'Watch',
    pages: [
      { path: '/', title: 'Overview' },
      { path: '/signals', title: 'Signals' },
      { path: '/incidents', title: 'Incidents' },
      { path: '/correlations', title: 'Findings' },
    ],
  },
  {
    title: 'Run',
    pages: [
      { path: '/audits', title: 'Audits' },
      { path: '/dead-letters', title: 'Dead letters' },
      { path: '/sandboxes', title: 'Sandboxes' },
    ],
  },
  {
    title: 'Prove',
    pages: [
      { path: '/chain', title: 'Hash chain' },
      { path: '/controls', title: 'Controls' },
      { path: '/packages', title: 'Packages' },
      { path: '/policies', title: 'Policies' },
      { path: '/retention', title: 'Retention' },
      { path: '/auditors', title: 'Auditors' },
    ],
  },
  {
    title: 'Account',
    pages: [
      { path: '/settings', title: 'Settings' },
      { path: '/welcome', title: 'First steps' },
    ],
  },
] as const;

type Page = (typeof PAGE_GROUPS)[number]['pages'][number];
/** Path of a page; below /ui. */
export type PagePath = Page['path'];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }): readonly Page[] => pages);
