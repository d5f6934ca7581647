import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { type Counted, listAddress } from '../address/counted.ts';

interface CountLinkProps {
  readonly counted: Counted;
  readonly count: number;
  readonly className?: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/**
 * A number that links to the list of what it counts. The list's own total is the same number: a test opens each link.
 */
export const CountLink = ({ counted, count, className, isCurrent = false, children }: CountLinkProps) => (
  <Link
    href={listAddress(counted)}
    className={className}
    data-count={count}
    aria-current={isCurrent ? 'true' : undefined}
  >
    {children}
  </Link>
);
