import type { Signal } from '#schemas/api/signals.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { explanationText } from '../../labels/explanation.ts';
import { label, regulationLabel, violationsText } from '../../labels/label.ts';
import { Suppressed } from './suppressed.tsx';

/** What was detected, by which detector, and the explanation, whose values are masked. */
export function Why({ signal }: { readonly signal: Signal }) {
  const { detections, confidences, reasoning, confidence, piiDetected, regulation, anonymized, violations } =
    signal;
  const title = violations.length === 0 ? 'Explanation' : 'Why it was flagged';
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {anonymized && <p>Anonymized: the explanation was erased; its hashes remain in the ledger.</p>}
      {reasoning !== null && <p className="reasoning">{explanationText(reasoning)}</p>}
      {detections.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Violation</th>
              <th scope="col">Detector</th>
              <th scope="col" className="number">
                Matches
              </th>
              {confidences !== undefined && (
                <th scope="col" className="number">
                  Confidence
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {detections.map(({ code, detector, version, count, ruleIndex }, index) => (
              <tr key={`${code} ${detector} ${version} ${ruleIndex ?? ''}`}>
                <td>{label('violation', code)}</td>
                <td>
                  {label('detector', detector)} <span className="muted">v{version}</span>
                  {ruleIndex !== undefined && <span className="muted"> rule {ruleIndex + 1}</span>}
                </td>
                <td className="number">{exactNumber(count)}</td>
                {confidences !== undefined && <td className="number">{percent(confidences[index]!)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Suppressed suppressed={signal.suppressed} />
      <dl className="facts">
        <div>
          <dt>Violations</dt>
          <dd>{violationsText(violations)}</dd>
        </div>
        <div>
          <dt>Confidence</dt>
          <dd>{violations.length === 0 ? '–' : percent(confidence)}</dd>
        </div>
        <div>
          <dt>Personal data</dt>
          <dd>{piiDetected ? 'Yes' : 'No'}</dd>
        </div>
        <div>
          <dt>Regulations</dt>
          <dd>{regulation.map(regulationLabel).join(', ') || '–'}</dd>
        </div>
      </dl>
      <p className="muted">Values are masked before storage. Prompt and response text isn’t stored.</p>
    </section>
  );
}
