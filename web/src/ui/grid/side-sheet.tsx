import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';

interface SideSheetProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One record, beside the list and not over it. */
export function SideSheet({ title, onClose, children }: SideSheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Where it takes the list's place, as on a telephone, whoever opened it is in it.
    if (matchMedia('(max-width: 1000px)').matches) heading.current?.focus();
  }, []);
  return (
    <aside className="card sheet" aria-labelledby="sheet-title">
      <header>
        <h2 id="sheet-title" ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <Button className="button" onPress={onClose}>
          Close
        </Button>
      </header>
      {children}
    </aside>
  );
}
