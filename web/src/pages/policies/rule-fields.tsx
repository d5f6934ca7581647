import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Policy } from '#schemas/api/evidence/policies.ts';
import { POLICY_ACTIONS, RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { Field } from '../../ui/field.tsx';
import { asOptions, SelectField } from '../../ui/form/select-field.tsx';

type Rule = Policy['rules'][number];

/** The service's defaults for a rule with only a code. */
const NEW_RULE: Rule = {
  code: '*',
  minRiskLevel: 'HIGH',
  maxCount: 0,
  windowDays: 30,
  action: 'OPEN_INCIDENT',
};

const CODES = [{ value: '*', label: 'Any violation' }, ...asOptions(VIOLATION_CODES, 'violation')];

interface RuleRows {
  /** Numbers of the rows present, in order. */
  readonly numbers: readonly number[];
  readonly ruleOf: (number: number) => Rule;
  readonly add: () => void;
  readonly remove: (number: number) => void;
}

/** Rows that can be added and removed; numbers are never reused, so that other rows' fields keep their input. */
export function useRuleRows(rules: readonly Rule[]): RuleRows {
  const [next, setNext] = useState(rules.length);
  const [numbers, setNumbers] = useState<readonly number[]>(() => rules.map((_, index) => index));
  return {
    numbers,
    ruleOf: (number) => rules[number] ?? NEW_RULE,
    add: () => {
      setNumbers([...numbers, next]);
      setNext(next + 1);
    },
    remove: (number) => setNumbers(numbers.filter((one) => one !== number)),
  };
}

function Row({
  number,
  index,
  rows,
}: {
  readonly number: number;
  readonly index: number;
  readonly rows: RuleRows;
}) {
  const rule = rows.ruleOf(number);
  return (
    <fieldset className="checks">
      <legend>Rule {index + 1}</legend>
      <div className="form-grid rule">
        <SelectField label="Violation" name={`code-${number}`} options={CODES} defaultValue={rule.code} />
        <SelectField
          label="Minimum risk level"
          name={`minRiskLevel-${number}`}
          options={asOptions(RISK_LEVELS, 'riskLevel')}
          defaultValue={rule.minRiskLevel}
        />
        <Field
          label="Signals allowed"
          name={`maxCount-${number}`}
          inputMode="numeric"
          pattern="[0-9]{1,9}"
          defaultValue={String(rule.maxCount)}
          isRequired
        />
        <Field
          label="Window (days)"
          name={`windowDays-${number}`}
          inputMode="numeric"
          pattern="[0-9]{1,3}"
          defaultValue={String(rule.windowDays)}
          isRequired
        />
        <SelectField
          label="Over the limit"
          name={`action-${number}`}
          options={asOptions(POLICY_ACTIONS, 'policyAction')}
          defaultValue={rule.action}
        />
      </div>
      <div className="buttons">
        <Button
          className="button"
          aria-label={`Remove rule ${index + 1}`}
          onPress={() => rows.remove(number)}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** The rules of a policy; with none, its framework's rules apply. */
export function RuleFields({ rows }: { readonly rows: RuleRows }) {
  return (
    <section aria-label="Rules" className="how">
      {rows.numbers.length === 0 && (
        <p className="muted">
          No rules. One is created for each violation relevant to the framework: no High or Critical signals
          allowed.
        </p>
      )}
      {rows.numbers.map((number, index) => (
        <Row key={number} number={number} index={index} rows={rows} />
      ))}
      <div className="buttons">
        <Button className="button" onPress={rows.add}>
          Add rule
        </Button>
      </div>
    </section>
  );
}
