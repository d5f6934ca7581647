import { useState } from 'react';
import { FRAMEWORKS, REGIONS, RISK_LEVELS, SANDBOX_TYPES } from '#schemas/vocabulary.ts';
import { label } from '../../../labels/label.ts';
import { Field } from '../../../ui/field.tsx';
import { Choices, Select } from '../../../ui/form/choices.tsx';
import { Detection } from './detection.tsx';
import { type Draft, otherRegulations, withCode, withOthers } from './draft.ts';
import { ACTIONS, STRATEGIES, thresholdText, typeText } from './explained.ts';
import { Rules } from './rules.tsx';

interface FieldsProps {
  readonly draft: Draft;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

function Regulations({ draft, isDisabled, onChange }: FieldsProps) {
  const { regulations } = draft;
  // The text as typed: a trailing comma may be the start of the next code.
  const [line, setLine] = useState(() => otherRegulations(regulations, FRAMEWORKS));
  return (
    <fieldset className="field" disabled={isDisabled}>
      <legend>Regulations</legend>
      <div className="boxes">
        {FRAMEWORKS.map((code) => (
          <label key={code}>
            <input
              type="checkbox"
              checked={regulations.includes(code)}
              onChange={({ target }) =>
                onChange({ regulations: withCode(regulations, code, target.checked) })
              }
            />
            {label('framework', code)}
          </label>
        ))}
      </div>
      <Field
        label="Other regulations"
        value={line}
        isDisabled={isDisabled}
        autoComplete="off"
        onChange={(text) => {
          setLine(text);
          onChange({ regulations: withOthers(regulations, FRAMEWORKS, text) });
        }}
        description="Comma-separated, e.g. LGPD. Controls and evidence packages cover the sandboxes tagged with their framework, or all sandboxes if none is."
      />
    </fieldset>
  );
}

function Active({ draft, isDisabled, onChange }: FieldsProps) {
  return (
    <div className="field">
      <div className="boxes">
        <label>
          <input
            type="checkbox"
            disabled={isDisabled}
            checked={draft.active}
            aria-describedby="active-text"
            onChange={({ target }) => onChange({ active: target.checked })}
          />
          Active
        </label>
      </div>
      <span id="active-text" className="muted">
        When off, audits and scans are rejected.
      </span>
    </div>
  );
}

/** Every setting, with what it does. */
export function Fields({ draft, isDisabled, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        isRequired
        isDisabled={isDisabled}
        maxLength={128}
        autoComplete="off"
        onChange={(name) => onChange({ name })}
        description="Shown in the dashboard. You can change it at any time."
      />
      <Select
        label="Detection profile"
        value={draft.sandboxType}
        values={SANDBOX_TYPES}
        nameOf={(type) => label('detectionProfile', type)}
        isDisabled={isDisabled}
        description={typeText(draft.sandboxType)}
        onChange={(sandboxType) => onChange({ sandboxType })}
      />
      <Rules
        rules={draft.customRules}
        isDisabled={isDisabled}
        onChange={(customRules) => onChange({ customRules })}
      />
      <Detection draft={draft} isDisabled={isDisabled} onChange={onChange} />
      <Choices
        label="Guardrail"
        kind="guardrail"
        value={draft.guardianAction}
        texts={ACTIONS}
        isDisabled={isDisabled}
        onChange={(guardianAction) => onChange({ guardianAction })}
      />
      <Choices
        label="Redaction style"
        kind="redactionStyle"
        value={draft.redactionStrategy}
        texts={STRATEGIES}
        isDisabled={isDisabled}
        onChange={(redactionStrategy) => onChange({ redactionStrategy })}
      />
      <Select
        label="Alert threshold"
        value={draft.alertThreshold}
        values={RISK_LEVELS}
        nameOf={(level) => label('riskLevel', level)}
        isDisabled={isDisabled}
        description={thresholdText(draft.alertThreshold)}
        onChange={(alertThreshold) => onChange({ alertThreshold })}
      />
      <Regulations draft={draft} isDisabled={isDisabled} onChange={onChange} />
      <Select
        label="Region"
        value={draft.region}
        values={REGIONS}
        nameOf={(region) => label('region', region)}
        isDisabled={isDisabled}
        description="Recorded on each signal; doesn’t change where data is stored."
        onChange={(region) => onChange({ region })}
      />
      <Active draft={draft} isDisabled={isDisabled} onChange={onChange} />
    </>
  );
}
