import { INCIDENT_STATUSES, type IncidentStatus, type RiskLevel } from '#schemas/vocabulary.ts';
import { label } from '../../labels/label.ts';
import { Amount } from '../../ui/amount.tsx';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';
import { ToggleChoice } from '../../ui/list/toggle-choice.tsx';
import type { ByState } from './use-incidents.ts';

interface StateBarProps {
  readonly totals: ByState['totals'] | undefined;
  readonly status: IncidentStatus | null;
  readonly severity: RiskLevel | null;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
}

/** All statuses with their counts, and the risk levels: a click filters by one. */
export function StateBar({ totals, status, severity, onChange }: StateBarProps) {
  return (
    <div className="list-bar">
      <ToggleChoice
        label="Status"
        chosen={status}
        onChoose={(chosen) => onChange({ status: chosen })}
        options={INCIDENT_STATUSES.map((value) => ({
          value,
          count: totals?.[value],
          shown: (
            <>
              {label('incidentStatus', value)} {totals === undefined ? '…' : <Amount value={totals[value]} />}
            </>
          ),
        }))}
      />
      <ToggleChoice
        label="Severity"
        chosen={severity}
        onChoose={(chosen) => onChange({ severity: chosen })}
        options={LEVELS_DOWN.map((value) => ({ value, shown: <Level level={value} /> }))}
      />
    </div>
  );
}
