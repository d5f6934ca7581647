import { useState } from 'react';
import { Button } from 'react-aria-components';
import type { Policy } from '#schemas/api/evidence/policies.ts';
import { POLICY_ACTIONS, RISK_LEVELS, VIOLATION_CODES } from '#schemas/vocabulary.ts';
import { Field } from '../../ui/field.tsx';
import { asOptions, SelectField } from '../../ui/form/select-field.tsx';

type Rule = Policy['rules'][number];

/** As the service takes a rule that says no more than a code. */
const NEW_RULE: Rule = {
  code: '*',
  minRiskLevel: 'HIGH',
  maxCount: 0,
  windowDays: 30,
  action: 'OPEN_INCIDENT',
};

const CODES = [{ value: '*', label: 'Any violation' }, ...asOptions(VIOLATION_CODES, 'violation')];

interface RuleRows {
  /** Of the rows that are there, in their order. */
  readonly numbers: readonly number[];
  readonly ruleOf: (number: number) => Rule;
  readonly add: () => void;
  readonly remove: (number: number) => void;
}

/** Rows that come and go; a number is given once, so that fields of others keep what was typed. */
export function useRuleRows(rules: readonly Rule[]): RuleRows {
  const [next, setNext] = useState(rules.length);
  const [numbers, setNumbers] = useState<readonly number[]>(() => rules.map((_, place) => place));
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
  place,
  rows,
}: {
  readonly number: number;
  readonly place: number;
  readonly rows: RuleRows;
}) {
  const rule = rows.ruleOf(number);
  return (
    <fieldset className="checks">
      <legend>Rule {place + 1}</legend>
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
          aria-label={`Remove rule ${place + 1}`}
          onPress={() => rows.remove(number)}
        >
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

/** The rules of a policy; none: those of its framework. */
export function RuleFields({ rows }: { readonly rows: RuleRows }) {
  return (
    <section aria-label="Rules" className="how">
      {rows.numbers.length === 0 && (
        <p className="muted">
          No rules. One is created for each violation relevant to the framework: no High or Critical signals
          allowed.
        </p>
      )}
      {rows.numbers.map((number, place) => (
        <Row key={number} number={number} place={place} rows={rows} />
      ))}
      <div className="buttons">
        <Button className="button" onPress={rows.add}>
          Add rule
        </Button>
      </div>
    </section>
  );
}
