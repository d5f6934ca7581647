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
      { path: '/audits', title: 'Audits', there: false },
      { path: '/dead-letters', title: 'Dead letters', there: false },
      { path: '/sandboxes', title: 'Sandboxes', there: false },
    ],
  },
  {
    title: 'Prove',
    pages: [
      { path: '/chain', title: 'Hash chain', there: true },
      { path: '/controls', title: 'Controls', there: true },
      { path: '/packages', title: 'Packages', there: false },
      { path: '/policies', title: 'Policies', there: false },
      { path: '/retention', title: 'Retention', there: false },
      { path: '/auditors', title: 'Auditors', there: false },
    ],
  },
  { title: 'Account', pages: [{ path: '/settings', title: 'Settings', there: false }] },
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
