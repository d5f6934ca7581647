import { useState } from 'react';
import { Button, Tag, TagGroup, TagList } from 'react-aria-components';
import { type LabelKind, label as labelOf } from '../../labels/label.ts';

export interface FilterChoice {
  /** Name in the address and the API. */
  readonly name: string;
  readonly label: string;
  /** All values; without them, any text can be typed. */
  readonly values?: readonly string[];
  /** Kind of the values, when they are codes. */
  readonly kind?: LabelKind;
  /** Some known values; others can be typed. */
  readonly suggestions?: readonly string[];
}

interface FiltersProps {
  readonly choices: readonly FilterChoice[];
  readonly filters: Readonly<Partial<Record<string, string>>>;
  readonly onFilter: (name: string, value: string | null) => void;
}

/** The label of a value, or of each of several codes such as `LOW,HIGH`. */
const shownOf = ({ kind }: Pick<FilterChoice, 'kind'>, value: string): string =>
  kind === undefined
    ? value
    : value
        .split(',')
        .map((code) => labelOf(kind, code))
        .join(', ');

function AddFilter({ choices, onFilter }: Pick<FiltersProps, 'choices' | 'onFilter'>) {
  const [name, setName] = useState(choices[0]?.name);
  const choice = choices.find((one) => one.name === name) ?? choices[0];
  if (choice === undefined) return null;
  return (
    <form
      className="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        const value = String(new FormData(event.currentTarget).get('value') ?? '').trim();
        if (value !== '') onFilter(choice.name, value);
        event.currentTarget.reset();
      }}
    >
      <label className="inline-field">
        <span>Filter</span>
        <select value={choice.name} onChange={({ target }) => setName(target.value)}>
          {choices.map((one) => (
            <option key={one.name} value={one.name}>
              {one.label}
            </option>
          ))}
        </select>
      </label>
      <span className="inline-field">
        {choice.values !== undefined ? (
          <select key={choice.name} name="value" aria-label={`${choice.label} value`}>
            {choice.values.map((value) => (
              <option key={value} value={value}>
                {shownOf(choice, value)}
              </option>
            ))}
          </select>
        ) : (
          <input
            key={choice.name}
            name="value"
            list="filter-values"
            maxLength={128}
            autoComplete="off"
            aria-label={`${choice.label} value`}
          />
        )}
      </span>
      <datalist id="filter-values">
        {choice.suggestions?.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <Button type="submit" className="button">
        Add filter
      </Button>
    </form>
  );
}

/** The filters of a list, as chips that can be removed, and a form that adds one. */
export function Filters({ choices, filters, onFilter }: FiltersProps) {
  const chips = choices.filter(({ name }) => filters[name] !== undefined);
  return (
    <>
      <AddFilter choices={choices} onFilter={onFilter} />
      {chips.length > 0 && (
        <TagGroup
          aria-label="Filters"
          onRemove={(keys) => {
            for (const { name } of chips) if (keys.has(name)) onFilter(name, null);
          }}
        >
          <TagList className="chips">
            {chips.map((choice) => {
              const { name, label } = choice;
              const text = `${label}: ${shownOf(choice, filters[name] ?? '')}`;
              return (
                <Tag key={name} id={name} className="chip" textValue={text}>
                  {text}
                  <Button slot="remove" className="chip-close" aria-label={`Remove filter ${label}`}>
                    ×
                  </Button>
                </Tag>
              );
            })}
          </TagList>
        </TagGroup>
      )}
    </>
  );
}
