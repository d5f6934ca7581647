/** Every page, in the order in which they are offered. Those that are not `there` yet are named, and nothing links to them. */
export const PAGE_GROUPS = [
  {
    title: 'Watch',
    pages: [
      { path: '/', title: 'Overview', there: true },
      { path: '/signals', title: 'Signals', there: true },
      { path: '/incidents', title: 'Incidents', there: true },
      { path: '/correlations', title: 'Findings', there: true },
    ],
  },
  {
    title: 'Run',
    pages: [
      { path: '/audits', title: 'Audits', there: true },
      { path: '/dead-letters', title: 'Dead letters', there: true },
      { path: '/sandboxes', title: 'Sandboxes', there: true },
    ],
  },
  {
    title: 'Prove',
    pages: [
      { path: '/chain', title: 'Hash chain', there: true },
      { path: '/controls', title: 'Controls', there: true },
      { path: '/packages', title: 'Packages', there: true },
      { path: '/policies', title: 'Policies', there: true },
      { path: '/retention', title: 'Retention', there: true },
      { path: '/auditors', title: 'Auditors', there: true },
    ],
  },
  {
    title: 'Account',
    pages: [
      { path: '/settings', title: 'Settings', there: true },
      { path: '/welcome', title: 'First steps', there: true },
    ],
  },
] as const;

type Page = (typeof PAGE_GROUPS)[number]['pages'][number];
/** Path of a page that is there; below /ui. */
export type PagePath = Extract<Page, { readonly there: true }>['path'];

export const PAGES: readonly Page[] = PAGE_GROUPS.flatMap(({ pages }): readonly Page[] => pages);

/** Whether an address, with or without a query, is that of a page that is there. */
export const isPageThere = (address: string): boolean => {
  const path = address.split('?', 1)[0];
  return PAGES.some((page) => page.path === path && page.there);
};
