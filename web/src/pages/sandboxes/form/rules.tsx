import { Button } from 'react-aria-components';
import { RULES_TEXT } from './explained.ts';

/** As the service demands it; it checks again. */
const MAX = { rules: 50, characters: 500 };

interface RulesProps {
  readonly rules: readonly string[];
  readonly isDisabled: boolean;
  readonly onChange: (rules: string[]) => void;
}

/** The customer's own rules, a field each: a rule may contain whatever would separate several in one field. */
export function Rules({ rules, isDisabled, onChange }: RulesProps) {
  return (
    <fieldset className="field rules" disabled={isDisabled}>
      <legend>Custom rules</legend>
      <span className="muted">{RULES_TEXT}</span>
      {rules.map((rule, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rule is known by its place alone; two may be the same
        <div key={place} className="own-rule">
          <textarea
            rows={1}
            aria-label={`Rule ${place + 1}`}
            maxLength={MAX.characters}
            value={rule}
            spellCheck={false}
            onChange={({ target }) =>
              onChange(rules.map((one, other) => (other === place ? target.value : one)))
            }
          />
          <Button
            className="button"
            aria-label={`Remove rule ${place + 1}`}
            isDisabled={isDisabled}
            onPress={() => onChange(rules.filter((_, other) => other !== place))}
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
