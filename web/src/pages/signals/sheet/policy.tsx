import type { Signal } from '#schemas/api/signals.ts';
import { getSandboxVersion } from '#schemas/endpoints.ts';
import { useGet } from '../../../api/use-get.ts';
import { PageLink } from '../../../ui/page-link.tsx';

/** By which version of the sandbox's settings the signal was judged. */
export function Policy({ signal }: { readonly signal: Signal }) {
  const { sandboxSlug, policyVersion, model, provider, source, region } = signal;
  // Of the sandbox and of what searches: `3.5`.
  const [sandboxVersion = ''] = (policyVersion ?? '').split('.', 1);
  const version = useGet(getSandboxVersion, {
    params: { id: sandboxSlug, version: sandboxVersion },
    enabled: sandboxVersion !== '' && sandboxSlug !== '',
  });
  const judged = version.data?.sandbox;
  return (
    <section aria-label="Policy">
      <h3>Policy</h3>
      <dl className="facts">
        <div>
          <dt>sandbox</dt>
          <dd>
            <PageLink to={`/sandboxes?open=${encodeURIComponent(sandboxSlug)}`}>{sandboxSlug}</PageLink>
          </dd>
        </div>
        <div>
          <dt>policy version</dt>
          <dd>{policyVersion ?? 'none'}</dd>
        </div>
        {judged !== undefined && (
          <>
            <div>
              <dt>looked for</dt>
              <dd>{judged.sandboxType}</dd>
            </div>
            <div>
              <dt>alerts from</dt>
              <dd>{judged.alertThreshold}</dd>
            </div>
            <div>
              <dt>guardian</dt>
              <dd>{judged.guardianAction}</dd>
            </div>
            <div>
              <dt>regulations</dt>
              <dd>{judged.regulations.join(', ') || 'none'}</dd>
            </div>
          </>
        )}
        <div>
          <dt>model</dt>
          <dd>
            {model} ({provider})
          </dd>
        </div>
        <div>
          <dt>region</dt>
          <dd>{region}</dd>
        </div>
        <div>
          <dt>source</dt>
          <dd>{source}</dd>
        </div>
      </dl>
    </section>
  );
}
