import type { Signal } from '#schemas/api/signals.ts';
import { exactNumber, percent } from '../../format/numbers.ts';
import { Suppressed } from './suppressed.tsx';

/** What was found, by what, and the explanation, whose values are masked. */
export function Why({ signal }: { readonly signal: Signal }) {
  const { detections, confidences, reasoning, confidence, piiDetected, regulation, anonymized, violations } =
    signal;
  return (
    <section aria-label="Why">
      <h3>Why</h3>
      {anonymized && (
        <p>This signal is anonymized: its explanation was erased, and its hashes stay in the chain.</p>
      )}
      {reasoning !== null && <p className="reasoning">{reasoning}</p>}
      {detections.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Violation</th>
              <th scope="col">Detector</th>
              <th scope="col" className="number">
                Finds
              </th>
              {confidences !== undefined && (
                <th scope="col" className="number">
                  Confidence
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {detections.map(({ code, detector, version, count, ruleIndex }, place) => (
              <tr key={`${code} ${detector} ${version} ${ruleIndex ?? ''}`}>
                <td>{code}</td>
                <td>
                  {detector} <span className="muted">v{version}</span>
                  {ruleIndex !== undefined && <span className="muted"> rule {ruleIndex + 1}</span>}
                </td>
                <td className="number">{exactNumber(count)}</td>
                {confidences !== undefined && <td className="number">{percent(confidences[place]!)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Suppressed suppressed={signal.suppressed} />
      <dl className="facts">
        <div>
          <dt>violations</dt>
          <dd>{violations.join(', ') || 'none'}</dd>
        </div>
        <div>
          <dt>confidence</dt>
          <dd>{percent(confidence)}</dd>
        </div>
        <div>
          <dt>personal data</dt>
          <dd>{piiDetected ? 'found' : 'none found'}</dd>
        </div>
        <div>
          <dt>regulations</dt>
          <dd>{regulation.join(', ') || 'none'}</dd>
        </div>
      </dl>
      <p className="muted">
        Values are masked before anything is stored, and the texts of prompt and response are stored nowhere
        beside the signal: no page can show them.
      </p>
    </section>
  );
}
