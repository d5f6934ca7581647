import { useState } from 'react';
import { FRAMEWORKS, REGIONS, RISK_LEVELS, SANDBOX_TYPES } from '#schemas/vocabulary.ts';
import { Field } from '../../../ui/field.tsx';
import { Choices, Select } from '../../../ui/form/choices.tsx';
import { Detection } from './detection.tsx';
import { type Draft, otherRegulations, withCode, withOthers } from './draft.ts';
import { ACTIONS, regionName, STRATEGIES, thresholdText, typeText } from './explained.ts';
import { Rules } from './rules.tsx';

interface FieldsProps {
  readonly draft: Draft;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

function Regulations({ draft, isDisabled, onChange }: FieldsProps) {
  const { regulations } = draft;
  // As it is typed: a comma at its end is on its way to the next code.
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
            {code}
          </label>
        ))}
      </div>
      <Field
        label="Others"
        value={line}
        isDisabled={isDisabled}
        autoComplete="off"
        onChange={(text) => {
          setLine(text);
          onChange({ regulations: withOthers(regulations, FRAMEWORKS, text) });
        }}
        description="Codes separated by commas, as LGPD. Signals name the regulations, and controls and packages of a framework look at the sandboxes that name it; while none does, at all of them."
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
        While it is not, audits and scans that name it are refused.
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
        description="For people. It can be changed at any time."
      />
      <Select
        label="Looks for"
        value={draft.sandboxType}
        values={SANDBOX_TYPES}
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
        label="Guardian"
        value={draft.guardianAction}
        texts={ACTIONS}
        isDisabled={isDisabled}
        onChange={(guardianAction) => onChange({ guardianAction })}
      />
      <Choices
        label="Values that are found are shown"
        value={draft.redactionStrategy}
        texts={STRATEGIES}
        isDisabled={isDisabled}
        onChange={(redactionStrategy) => onChange({ redactionStrategy })}
      />
      <Select
        label="Alerts from"
        value={draft.alertThreshold}
        values={RISK_LEVELS}
        isDisabled={isDisabled}
        description={thresholdText(draft.alertThreshold)}
        onChange={(alertThreshold) => onChange({ alertThreshold })}
      />
      <Regulations draft={draft} isDisabled={isDisabled} onChange={onChange} />
      <Select
        label="Region"
        value={draft.region}
        values={REGIONS}
        nameOf={regionName}
        isDisabled={isDisabled}
        description="Stands in every signal of the sandbox. It moves no data."
        onChange={(region) => onChange({ region })}
      />
      <Active draft={draft} isDisabled={isDisabled} onChange={onChange} />
    </>
  );
}
