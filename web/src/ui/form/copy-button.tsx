import { useState } from 'react';
import { Button } from 'react-aria-components';

interface CopyButtonProps {
  readonly text: string;
  readonly children: string;
}

/** Copies a text. Hidden where the browser forbids it, as on plain HTTP beyond localhost. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null);
  if (navigator.clipboard === undefined) return null;
  return (
    <Button
      className="button"
      onPress={() => {
        void navigator.clipboard.writeText(text).then(
          () => setCopied(text),
          () => setCopied(null),
        );
      }}
    >
      {copied === text ? 'Copied' : children}
    </Button>
  );
}
