/** All pages, in menu order. */
export const PAGE_GROUPS = [
  {
    title: 'Monitor',
    pages: [
      { path: '/', title: 'Overview' },
      { path: '/signals', title: 'Signals' },
      { path: '/incidents', title: 'Incidents' },
      { path: '/correlations', title: 'Patterns' },
    ],
  },
  {
    title: 'Operate',
    pages: [
      { path: '/audits', title: 'Audits' },
      { path: '/dead-letters', title: 'Failed audits' },
      { path: '/sandboxes', title: 'Sandboxes' },
    ],
  },
  {
    title: 'Compliance',
    pages: [
      { path: '/chain', title: 'Ledger' },
      { path: '/controls', title: 'Controls' },
      { path: '/packages', title: 'Evidence packages' },
      { path: '/policies', title: 'Policies' },
      { path: '/retention', title: 'Retention' },
      { path: '/auditors', title: 'Auditors' },
    ],
  },
  {
    title: 'Workspace',
    pages: [
      { path: '/settings', title: 'Settings' },
      { path: '/welcome', title: 'Get started' },
    ],
  },
] as const;

type Page = (typeof PAGE_GROUPS)[number]['pages'][number];
/** Path of a page, below /ui. */
export type PagePath = Page['path'];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }): readonly Page[] => pages);
