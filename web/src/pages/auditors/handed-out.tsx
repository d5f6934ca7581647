import { useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import type { createAuditor } from '#schemas/endpoints.ts';
import { serviceUrl } from '../../address/base-path.ts';
import { Copied } from '../../ui/copied.tsx';
import { Time } from '../../ui/time.tsx';

export type MadeAuditor = AnswerOf<typeof createAuditor>['data'];

/** The part of an address behind `#` reaches no server and no log; the page takes it out of the address at once. */
const linkOf = (token: string): string => `${serviceUrl()}/ui/auditor#token=${token}`;

interface HandedOutProps {
  readonly auditor: MadeAuditor;
  readonly onDone: () => void;
}

/** The token of a view that was just given: here, once. */
export function HandedOut({ auditor, onDone }: HandedOutProps) {
  const { name, token, expiresAt } = auditor;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <section className="card handed-out" aria-labelledby="handed-out-title">
      <h2 id="handed-out-title" ref={title} tabIndex={-1}>
        {name} has a view until <Time at={expiresAt} />
      </h2>
      {token === undefined ? (
        <p>
          An earlier answer held the token and was lost on its way. Nothing shows it again: revoke this view,
          and give another one.
        </p>
      ) : (
        <>
          <p>
            This is the only time that the token is shown; what is stored is its hash. Hand it over by a way
            that you trust: whoever has it sees what you have chosen.
          </p>
          <Copied label="Token" value={token} />
          <Copied label="Link that opens the auditor’s view" value={linkOf(token)} />
        </>
      )}
      <div className="buttons">
        <Button className="button primary" onPress={onDone}>
          {token === undefined ? 'Close' : 'I have kept it'}
        </Button>
      </div>
    </section>
  );
}
