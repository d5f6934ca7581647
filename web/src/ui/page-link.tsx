import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isPageThere } from '../address/pages.ts';

interface PageLinkProps {
  /** Path and query, below /ui. */
  readonly to: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A link to a page of the dashboard; the bare text while there is no such page. */
export function PageLink({ to, className, children }: PageLinkProps) {
  if (!isPageThere(to)) return <span className={className}>{children}</span>;
  return (
    <Link href={to} className={className}>
      {children}
    </Link>
  );
}
