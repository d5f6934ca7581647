import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface PageLinkProps {
  /** Path and query, below /ui. */
  readonly to: string;
  readonly className?: string;
  /** First link of a list row, which J and K focus. */
  readonly isRow?: boolean;
  /** It links to what is shown. */
  readonly isCurrent?: boolean;
  /** Accessible name, instead of the content. */
  readonly label?: string;
  readonly children: ReactNode;
}

/** A link to a page of the dashboard. */
export function PageLink({
  to,
  className,
  isRow = false,
  isCurrent = false,
  label,
  children,
}: PageLinkProps) {
  return (
    <Link
      href={to}
      className={className}
      data-row={isRow ? '' : undefined}
      aria-label={label}
      title={label}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {children}
    </Link>
  );
}
