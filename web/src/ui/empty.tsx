import type { ReactNode } from 'react';
import { ingestAudit } from '#schemas/endpoints.ts';
import { serviceUrl } from '../address/base-path.ts';
import { PageLink } from './page-link.tsx';

/** Nothing there yet: says how something comes. */
export function NothingYet() {
  return (
    <div className="empty">
      <p>No signals yet. Send a prompt and response, and the result appears here within seconds.</p>
      <pre>
        <code>{`curl ${serviceUrl()}${ingestAudit.path} \\
  -H "x-service-key: $KEY" -H "content-type: application/json" \\
  -d '{"sandboxSlug": "…", "provider": "openai", "model": "gpt-4o",
       "prompt": "…", "response": "…"}'`}</code>
      </pre>
      <PageLink to="/welcome">Get started</PageLink>
    </div>
  );
}

/** There is something, and the filters leave nothing of it. */
export function NothingMatches({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>No results for these filters</p>
      {children}
    </div>
  );
}
