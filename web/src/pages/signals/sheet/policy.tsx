import type { Signal } from '#schemas/api/signals.ts';
import { getSandboxVersion } from '#schemas/endpoints.ts';
import { useGet } from '../../../api/use-get.ts';
import { label, regulationLabel } from '../../../labels/label.ts';
import { PageLink } from '../../../ui/page-link.tsx';

/** The version of the sandbox’s settings that judged the signal. */
export function Policy({ signal }: { readonly signal: Signal }) {
  const { sandboxSlug, policyVersion, model, provider, source, region } = signal;
  // Versions of the sandbox and of the detection: `3.5`.
  const [sandboxVersion = ''] = (policyVersion ?? '').split('.', 1);
  const version = useGet(getSandboxVersion, {
    params: { id: sandboxSlug, version: sandboxVersion },
    enabled: sandboxVersion !== '' && sandboxSlug !== '',
  });
  const judged = version.data?.sandbox;
  return (
    <section aria-label="Settings applied">
      <h3>Settings applied</h3>
      <dl className="facts">
        <div>
          <dt>Sandbox</dt>
          <dd>
            <PageLink to={`/sandboxes?open=${encodeURIComponent(sandboxSlug)}`}>{sandboxSlug}</PageLink>
          </dd>
        </div>
        <div>
          <dt>Settings version</dt>
          <dd>{policyVersion ?? '–'}</dd>
        </div>
        {judged !== undefined && (
          <>
            <div>
              <dt>Detection profile</dt>
              <dd>{label('detectionProfile', judged.sandboxType)}</dd>
            </div>
            <div>
              <dt>Alert threshold</dt>
              <dd>{label('riskLevel', judged.alertThreshold)}</dd>
            </div>
            <div>
              <dt>Guardrail</dt>
              <dd>{label('guardrail', judged.guardianAction)}</dd>
            </div>
            <div>
              <dt>Regulations</dt>
              <dd>{judged.regulations.map(regulationLabel).join(', ') || '–'}</dd>
            </div>
          </>
        )}
        <div>
          <dt>Model</dt>
          <dd>
            {model} ({provider})
          </dd>
        </div>
        <div>
          <dt>Region</dt>
          <dd>{label('region', region)}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{label('auditSource', source)}</dd>
        </div>
      </dl>
    </section>
  );
}
