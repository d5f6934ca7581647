import type { Signal } from '#schemas/api/signals.ts';
import { exactNumber } from '../../format/numbers.ts';
import { label } from '../../labels/label.ts';

/** Matches that the sandbox’s settings suppressed, by setting. Their values are not stored. */
export function Suppressed({ suppressed = [] }: Pick<Signal, 'suppressed'>) {
  if (suppressed.length === 0) return null;
  return (
    <table>
      <caption>Suppressed by sandbox settings</caption>
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Detector</th>
          <th scope="col">Type</th>
          <th scope="col" className="number">
            Matches
          </th>
        </tr>
      </thead>
      <tbody>
        {suppressed.map(({ reason, detector, code, type, count }) => (
          <tr key={`${reason} ${detector} ${code} ${type ?? ''}`}>
            <td>{label('suppressionReason', reason)}</td>
            <td>{label('detector', detector)}</td>
            <td>{type === undefined ? label('violation', code) : label('entityType', type)}</td>
            <td className="number">{exactNumber(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
