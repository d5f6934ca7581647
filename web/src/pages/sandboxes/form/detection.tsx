import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ADJUSTABLE_DETECTORS, CONFIDENCE_NAMES, OTHER_FINDINGS } from '#schemas/detector-names.ts';
import { label } from '../../../labels/label.ts';
import { LongField } from '../../../ui/form/long-field.tsx';
import { type Draft, withCode } from './draft.ts';
import {
  CIDRS_TEXT,
  CONFIDENCE_TEXT,
  minimumName,
  OFF_TEXT,
  PATTERNS_TEXT,
  VALUES_TEXT,
} from './explained.ts';

interface DetectionProps {
  readonly draft: Draft;
  readonly isDisabled: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

interface LinesProps {
  readonly label: string;
  readonly lines: readonly string[];
  readonly description: string;
  readonly isDisabled: boolean;
  readonly onChange: (lines: string[]) => void;
}

/** A list with one entry per line. */
function Lines({ label, lines, description, isDisabled, onChange }: LinesProps) {
  // The text as typed: an empty line may be the start of the next entry.
  const [text, setText] = useState(() => lines.join('\n'));
  return (
    <LongField
      label={label}
      description={description}
      value={text}
      isDisabled={isDisabled}
      spellCheck="false"
      onChange={(typed) => {
        setText(typed);
        onChange(typed.split('\n').filter((line) => line.trim() !== ''));
      }}
    />
  );
}

function DetectorsOff({ draft: { detectorsOff }, isDisabled, onChange }: DetectionProps) {
  return (
    <details open={detectorsOff.length > 0}>
      <summary>
        Disabled detectors: {detectorsOff.map((name) => label('detector', name)).join(', ') || 'none'}
      </summary>
      <fieldset className="field" disabled={isDisabled}>
        <legend className="muted">{OFF_TEXT}</legend>
        <div className="boxes">
          {ADJUSTABLE_DETECTORS.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={detectorsOff.includes(name)}
                onChange={({ target }) =>
                  onChange({ detectorsOff: withCode(detectorsOff, name, target.checked) })
                }
              />
              {label('detector', name)}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}

function MinConfidence({ draft: { minConfidence }, isDisabled, onChange }: DetectionProps) {
  const rows = Object.entries(minConfidence);
  const unused = CONFIDENCE_NAMES.filter((name) => !Object.hasOwn(minConfidence, name));
  const replaced = (index: number, row: [string, number]): void =>
    onChange({ minConfidence: Object.fromEntries(rows.map((one, at) => (at === index ? row : one))) });
  return (
    <fieldset className="field rules" disabled={isDisabled}>
      <legend>Minimum confidence</legend>
      <span className="muted">{CONFIDENCE_TEXT}</span>
      {rows.map(([name, confidence], index) => (
        <div key={name} className="own-minimum">
          <select
            aria-label={`Detector or type ${index + 1}`}
            value={name}
            onChange={({ target }) => replaced(index, [target.value, confidence])}
          >
            {[name, ...unused].map((one) => (
              <option key={one} value={one}>
                {minimumName(one)}
              </option>
            ))}
          </select>
          <input
            type="number"
            aria-label={`Minimum confidence for ${minimumName(name)}`}
            min={0}
            max={1}
            step={0.01}
            required
            value={confidence}
            onChange={({ target }) => replaced(index, [name, target.valueAsNumber || 0])}
          />
          <Button
            className="button"
            aria-label={`Remove minimum for ${minimumName(name)}`}
            isDisabled={isDisabled}
            onPress={() =>
              onChange({ minConfidence: Object.fromEntries(rows.filter((_, at) => at !== index)) })
            }
          >
            ×
          </Button>
        </div>
      ))}
      <div>
        <Button
          className="button"
          isDisabled={isDisabled || unused.length === 0}
          onPress={() =>
            onChange({ minConfidence: { ...minConfidence, [unused[0] ?? OTHER_FINDINGS]: 0.5 } })
          }
        >
          Add minimum
        </Button>
      </div>
    </fieldset>
  );
}

/** What the sandbox ignores. */
export function Detection(props: DetectionProps) {
  const { draft, isDisabled, onChange } = props;
  return (
    <>
      <Lines
        label="Allowed values"
        lines={draft.allowedValues}
        description={VALUES_TEXT}
        isDisabled={isDisabled}
        onChange={(allowedValues) => onChange({ allowedValues })}
      />
      <Lines
        label="Allowed networks"
        lines={draft.allowedCidrs}
        description={CIDRS_TEXT}
        isDisabled={isDisabled}
        onChange={(allowedCidrs) => onChange({ allowedCidrs })}
      />
      <Lines
        label="Allowed patterns"
        lines={draft.allowedPatterns}
        description={PATTERNS_TEXT}
        isDisabled={isDisabled}
        onChange={(allowedPatterns) => onChange({ allowedPatterns })}
      />
      <DetectorsOff {...props} />
      <MinConfidence {...props} />
    </>
  );
}
