import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from 'react-aria-components';
import { isTyping } from './is-typing.ts';

interface SideSheetProps {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One record, next to the list instead of over it. Esc closes it, unless the user is typing. */
export function SideSheet({ title, onClose, children }: SideSheetProps) {
  const id = useId();
  const head = useRef<HTMLHeadingElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    const opener = document.activeElement;
    // Where it replaces the list, as on a phone, the focus moves into it.
    if (matchMedia('(max-width: 1000px)').matches) head.current?.focus();
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !isTyping(event.target)) close.current();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      // The focus returns to where it was before.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <aside className="card sheet" aria-labelledby={id}>
      <header>
        <h2 id={id} ref={head} tabIndex={-1}>
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
