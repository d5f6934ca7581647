import type { ReactNode } from 'react';

/** Good or bad, by mark and word, not by colour alone. */
export function Verdict({ isGood, children }: { readonly isGood: boolean; readonly children: ReactNode }) {
  return (
    <p className="verdict" data-good={isGood}>
      <span aria-hidden="true">{isGood ? '✓' : '✗'}</span> {children}
    </p>
  );
}
