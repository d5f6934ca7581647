import { useState } from 'react';
import { Button, Tag, TagGroup, TagList } from 'react-aria-components';

export interface FilterChoice {
  /** As in the address and in the API. */
  readonly name: string;
  readonly label: string;
  /** All that there are. */
  readonly values?: readonly string[];
  /** Some of those that there are; others can be typed. */
  readonly suggestions?: readonly string[];
}

interface FiltersProps {
  readonly choices: readonly FilterChoice[];
  readonly filters: Readonly<Partial<Record<string, string>>>;
  readonly onFilter: (name: string, value: string | null) => void;
}

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
        <span>Filter by</span>
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
          <select key={choice.name} name="value" aria-label={`${choice.label} to filter by`}>
            {choice.values.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        ) : (
          <input
            key={choice.name}
            name="value"
            list="filter-values"
            maxLength={128}
            autoComplete="off"
            aria-label={`${choice.label} to filter by`}
          />
        )}
      </span>
      <datalist id="filter-values">
        {choice.suggestions?.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <Button type="submit" className="button">
        Add
      </Button>
    </form>
  );
}

/** What a list is filtered by, as chips that can be taken away, and what it could be filtered by. */
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
            {chips.map(({ name, label }) => (
              <Tag key={name} id={name} className="chip" textValue={`${label}: ${filters[name]}`}>
                {label}: {filters[name]}
                <Button slot="remove" className="chip-close" aria-label={`Take the filter ${label} away`}>
                  ×
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </>
  );
}
