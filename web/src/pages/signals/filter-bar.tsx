import { useState } from 'react';
import { Button, Tag, TagGroup, TagList, ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { getStats } from '#schemas/api/dashboard.ts';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import {
  FILTER_LABELS,
  SIGNAL_FILTERS,
  type SignalFilter,
  type SignalFilters,
} from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';

interface FilterBarProps {
  readonly filters: SignalFilters;
  readonly onFilter: (name: SignalFilter, value: string | null) => void;
}

/** Filters but the level, which has buttons of its own. */
const TYPED = SIGNAL_FILTERS.filter((name) => name !== 'riskLevel');

/** Values to choose from: what there is of it by now. Others can be typed. */
function useSuggestions(name: SignalFilter): readonly string[] {
  const { data } = useGet<typeof getStats>('/dashboard/stats');
  if (name === 'violation') return VIOLATION_CODES;
  if (data === undefined) return [];
  if (name === 'sandboxSlug') return data.sandboxBreakdown.map(({ slug }) => slug);
  const models = data.modelBreakdown ?? [];
  return [...new Set(models.map((one) => (name === 'provider' ? one.provider : one.model)))];
}

function AddFilter({ onFilter }: Pick<FilterBarProps, 'onFilter'>) {
  const [name, setName] = useState<SignalFilter>('violation');
  const suggestions = useSuggestions(name);
  return (
    <form
      className="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        const field = new FormData(event.currentTarget).get('value');
        const value = String(field ?? '').trim();
        if (value !== '') onFilter(name, value);
        event.currentTarget.reset();
      }}
    >
      <label className="inline-field">
        <span>Filter by</span>
        <select
          value={name}
          onChange={({ target }) => setName(TYPED.find((one) => one === target.value) ?? 'violation')}
        >
          {TYPED.map((one) => (
            <option key={one} value={one}>
              {FILTER_LABELS[one]}
            </option>
          ))}
        </select>
      </label>
      <span className="inline-field">
        {name === 'violation' ? (
          <select key={name} name="value" aria-label="Violation to filter by">
            {VIOLATION_CODES.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        ) : (
          <input
            key={name}
            name="value"
            list="filter-values"
            maxLength={128}
            autoComplete="off"
            aria-label={`${FILTER_LABELS[name]} to filter by`}
          />
        )}
      </span>
      <datalist id="filter-values">
        {suggestions.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      <Button type="submit" className="button">
        Add
      </Button>
    </form>
  );
}

/** Every filter of the list: levels as switches, the others as chips that can be taken away. */
export function FilterBar({ filters, onFilter }: FilterBarProps) {
  const levels = (filters.riskLevel ?? '').split(',').filter((level) => level !== '');
  const chips = TYPED.filter((name) => filters[name] !== undefined);
  return (
    <div className="filter-bar">
      <ToggleButtonGroup
        aria-label="Risk levels"
        className="segmented"
        selectionMode="multiple"
        selectedKeys={levels}
        onSelectionChange={(keys) => {
          const chosen = LEVELS_DOWN.filter((level) => keys.has(level));
          onFilter('riskLevel', chosen.length === 0 ? null : chosen.toReversed().join(','));
        }}
      >
        {LEVELS_DOWN.map((level) => (
          <ToggleButton key={level} id={level}>
            <Level level={level} />
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <AddFilter onFilter={onFilter} />
      {chips.length > 0 && (
        <TagGroup
          aria-label="Filters"
          onRemove={(keys) => {
            for (const name of chips) if (keys.has(name)) onFilter(name, null);
          }}
        >
          <TagList className="chips">
            {chips.map((name) => (
              <Tag
                key={name}
                id={name}
                className="chip"
                textValue={`${FILTER_LABELS[name]}: ${filters[name]}`}
              >
                {FILTER_LABELS[name]}: {filters[name]}
                <Button
                  slot="remove"
                  className="chip-close"
                  aria-label={`Take the filter ${FILTER_LABELS[name]} away`}
                >
                  ×
                </Button>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </div>
  );
}
