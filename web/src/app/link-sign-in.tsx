import { useEffect, useRef } from 'react';
import { FaultNote } from '../ui/fault-note.tsx';
import { SignedOut } from './signed-out.tsx';
import { useSignIn } from './use-sign-in.ts';

interface LinkSignInProps {
  readonly token: string;
  /** Called when the link has signed in or was refused. */
  readonly onEnd: () => void;
}

/** Signs in with the first start's link. It works once, so it is sent once, however often this renders. */
export function LinkSignIn({ token, onEnd }: LinkSignInProps) {
  const { mutate, isIdle, isPending, isError, error } = useSignIn();
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    mutate({ linkToken: token });
  }, [mutate, token]);
  const isOver = !isIdle && !isPending;
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver, onEnd]);
  if (!isError)
    return (
      <p className="middle muted" role="status">
        Signing you in…
      </p>
    );
  return <SignedOut note={<FaultNote fault={error} />} />;
}
