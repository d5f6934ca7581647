import type { Signal } from '#schemas/api/signals.ts';
import { exactNumber } from '../../format/numbers.ts';

/** Findings that the sandbox's settings suppressed, by setting. Their values are stored nowhere. */
export function Suppressed({ suppressed = [] }: Pick<Signal, 'suppressed'>) {
  if (suppressed.length === 0) return null;
  return (
    <table>
      <caption>Suppressed by the settings of the sandbox</caption>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Detector</th>
          <th scope="col">Type</th>
          <th scope="col" className="number">
            Findings
          </th>
        </tr>
      </thead>
      <tbody>
        {suppressed.map(({ reason, detector, code, type, count }) => (
          <tr key={`${reason} ${detector} ${code} ${type ?? ''}`}>
            <td>{reason}</td>
            <td>{detector}</td>
            <td>{type ?? code}</td>
            <td className="number">{exactNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
