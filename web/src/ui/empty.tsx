import type { ReactNode } from 'react';
import { ingestAudit } from '#schemas/endpoints.ts';
import { serviceUrl } from '../address/base-path.ts';
import { PageLink } from './page-link.tsx';

/** Shown when there are no records yet: says how to get some. */
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

/** Shown when records exist, but none matches the filters. */
export function NothingMatches({ children }: { readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>No results for these filters</p>
      {children}
    </div>
  );
}
