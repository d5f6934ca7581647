import type { UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import type { Attestation, FrameworkCoverage } from '#schemas/api/evidence/attestations.ts';
import type { AnswerOf } from '#schemas/api/openapi/request.ts';
import { auditAttestations, type auditCoverage } from '#schemas/endpoints.ts';
import { withFilter } from '../../address/signal-filters.ts';
import type { Fault } from '../../api/fault.ts';
import { useList } from '../../api/use-list.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { withLabels } from '../../labels/explanation.ts';
import { label } from '../../labels/label.ts';
import { MoreRows } from '../../ui/list/more-rows.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Time } from '../../ui/time.tsx';

interface ControlsProps {
  readonly coverage: UseQueryResult<AnswerOf<typeof auditCoverage>, Fault>;
}

/** All frameworks or one, depending on the response's form. */
const listOf = (data: FrameworkCoverage | readonly FrameworkCoverage[]): readonly FrameworkCoverage[] =>
  'framework' in data ? [data] : data;

function Coverage({ all }: { readonly all: readonly FrameworkCoverage[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="across" aria-label="Coverage by framework" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Framework</th>
            <th scope="col">Signals from</th>
            <th scope="col" className="number">
              With evidence
            </th>
            <th scope="col" className="number">
              Passing
            </th>
            <th scope="col" className="number">
              Addressed
            </th>
            <th scope="col" className="number">
              Failing
            </th>
            <th scope="col" className="number">
              No evidence
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ framework, scope, coveragePercent, byStatus, controlsWithEvidence, totalControls }) => (
            <tr key={framework}>
              <th scope="row">{label('framework', framework)}</th>
              <td>{label('evidenceScope', scope)}</td>
              <td className="number">
                {percent(coveragePercent / 100)} ({controlsWithEvidence} of {totalControls})
              </td>
              {(['CLEAR', 'ADDRESSED', 'OPEN', 'NO_EVIDENCE'] as const).map((status) => (
                <td key={status} className="number">
                  {exactNumber(byStatus[status])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Attested({ rows }: { readonly rows: readonly Attestation[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className="across" aria-label="Controls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Control</th>
            <th scope="col">Title</th>
            <th scope="col">Status</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Signals
            </th>
            <th scope="col" className="number">
              Violations
            </th>
            <th scope="col" className="number">
              Unresolved incidents
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.controlId}</th>
              <td>{one.title}</td>
              <td>{label('controlStatus', one.status)}</td>
              <td>{withLabels(one.reason)}</td>
              <td className="number">{exactNumber(one.signalCount)}</td>
              <td className="number">{exactNumber(one.violationCount)}</td>
              <td className="number">{exactNumber(one.openIncidents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Controls of one framework. */
function Framework({ framework }: { readonly framework: string }) {
  const query = useList(auditAttestations, { query: { framework } });
  return (
    <Tile title={`${label('framework', framework)} controls`} query={query} size="full">
      {({ rows }) => (
        <>
          {rows[0]?.generatedAt != null && (
            <p className="muted">
              As of the checkpoint signed <Time at={rows[0].generatedAt} />, catalog{' '}
              {rows[0].catalogueVersion}.
            </p>
          )}
          <Attested rows={rows} />
          <MoreRows unit="control" query={query} />
        </>
      )}
    </Tile>
  );
}

/** Coverage by framework; a framework's controls are loaded when it is chosen. */
export function Controls({ coverage }: ControlsProps) {
  const [search, setSearch] = useSearchParams();
  const all = coverage.data === undefined ? [] : listOf(coverage.data.data);
  const framework = all.find((one) => one.framework === search.get('framework'))?.framework ?? null;
  return (
    <>
      <Tile title="Coverage" query={coverage} size="full">
        {() => (
          <>
            <Coverage all={all} />
            <label className="inline-field">
              <span>Framework</span>
              <select
                value={framework ?? ''}
                onChange={({ target }) =>
                  setSearch((former) => withFilter(former, 'framework', target.value))
                }
              >
                <option value="">Choose…</option>
                {all.map((one) => (
                  <option key={one.framework} value={one.framework}>
                    {label('framework', one.framework)}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
      </Tile>
      {framework !== null && <Framework key={framework} framework={framework} />}
    </>
  );
}
