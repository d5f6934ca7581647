import { useId, useState } from 'react';
import { Button } from 'react-aria-components';

interface CopiedProps {
  readonly label: string;
  readonly value: string;
}

/** A text to copy: selectable everywhere, with a copy button where the browser allows it. */
export function Copied({ label, value }: CopiedProps) {
  const id = useId();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span className="copied">
        <input id={id} readOnly value={value} spellCheck={false} onFocus={({ target }) => target.select()} />
        {navigator.clipboard !== undefined && (
          <Button
            className="button"
            aria-label={`Copy ${label}`}
            onPress={() => {
              void navigator.clipboard.writeText(value).then(
                () => setIsCopied(true),
                () => setIsCopied(false),
              );
            }}
          >
            {isCopied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </span>
    </div>
  );
}
