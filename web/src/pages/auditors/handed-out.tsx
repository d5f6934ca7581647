import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import type { createAuditor } from '#schemas/endpoints.ts';
import { serviceUrl } from '../../address/base-path.ts';
import { Copied } from '../../ui/copied.tsx';
import { Time } from '../../ui/time.tsx';

export type MadeAuditor = AnswerOf<typeof createAuditor>['data'];

/** The part of an address after `#` reaches no server and no log; the page removes it from the address at once. */
const linkOf = (token: string): string => `${serviceUrl()}/ui/auditor#token=${token}`;

interface HandedOutProps {
  readonly auditor: MadeAuditor;
  readonly onDone: () => void;
}

/** Shows a new auditor's token, once. */
export function HandedOut({ auditor, onDone }: HandedOutProps) {
  const { name, token, expiresAt } = auditor;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="card handed-out" aria-labelledby="handed-out-title">
      <h2 id="handed-out-title" ref={title} tabIndex={-1}>
        {name} has access until <Time at={expiresAt} />
      </h2>
      {token === undefined ? (
        <p>
          The access was created, but the response was lost and the token can’t be shown again. Revoke this
          access and create another.
        </p>
      ) : (
        <>
          <p>Shown only once. Send it over a secure channel – anyone with the link has this access.</p>
          <Copied label="Token" value={token} />
          <Copied label="Link to the auditor view" value={linkOf(token)} />
        </>
      )}
      <div className="buttons">
        <Button className="button primary" onPress={onDone}>
          {token === undefined ? 'Close' : 'Done'}
        </Button>
      </div>
    </section>
  );
}
