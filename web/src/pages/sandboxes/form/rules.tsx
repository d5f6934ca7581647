import { Button } from 'react-aria-components';
import { RULES_TEXT } from './explained.ts';

/** The service's limits, which it checks again. */
const MAX = { rules: 50, characters: 500 };

interface RulesProps {
  readonly rules: readonly string[];
  readonly isDisabled: boolean;
  readonly onChange: (rules: string[]) => void;
}

/** The customer's own rules, one field each: a rule may contain any separator that a single field would need. */
export function Rules({ rules, isDisabled, onChange }: RulesProps) {
  return (
    <fieldset className="field rules" disabled={isDisabled}>
      <legend>Custom rules</legend>
      <span className="muted">{RULES_TEXT}</span>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: only the index identifies a rule; two may be equal
        <div key={index} className="own-rule">
          <textarea
            rows={1}
            aria-label={`Rule ${index + 1}`}
            maxLength={MAX.characters}
            value={rule}
            spellCheck={false}
            onChange={({ target }) =>
              onChange(rules.map((one, other) => (other === index ? target.value : one)))
            }
          />
          <Button
            className="button"
            aria-label={`Remove rule ${index + 1}`}
            isDisabled={isDisabled}
            onPress={() => onChange(rules.filter((_, other) => other !== index))}
          >
            ×
          </Button>
        </div>
      ))}
      {rules.length < MAX.rules && (
        <div>
          <Button className="button" isDisabled={isDisabled} onPress={() => onChange([...rules, ''])}>
            Add rule
          </Button>
        </div>
      )}
    </fieldset>
  );
}
