import { useMemo } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { getStats } from '#schemas/endpoints.ts';
import { VIOLATION_CODES } from '#schemas/vocabulary.ts';
import {
  FILTER_LABELS,
  SIGNAL_FILTERS,
  type SignalFilter,
  type SignalFilters,
} from '../../address/signal-filters.ts';
import { useGet } from '../../api/use-get.ts';
import { type FilterChoice, Filters } from '../../ui/grid/filters.tsx';
import { LEVELS_DOWN, Level } from '../../ui/level.tsx';

interface FilterBarProps {
  readonly filters: SignalFilters;
  readonly onFilter: (name: SignalFilter, value: string | null) => void;
}

/** Filters except the level, which has separate buttons. */
const TYPED = SIGNAL_FILTERS.filter((name) => name !== 'riskLevel');

/** The filters, with the values known so far. */
function useChoices(): readonly FilterChoice[] {
  const { data } = useGet(getStats);
  return useMemo(() => {
    const models = data?.modelBreakdown ?? [];
    const suggestions: Readonly<Partial<Record<SignalFilter, readonly string[]>>> = {
      sandboxSlug: (data?.sandboxBreakdown ?? []).map(({ slug }) => slug),
      provider: [...new Set(models.map(({ provider }) => provider))],
      model: [...new Set(models.map(({ model }) => model))],
    };
    return TYPED.map((name) => ({
      name,
      label: FILTER_LABELS[name],
      ...(name === 'violation'
        ? { values: VIOLATION_CODES, kind: 'violation' as const }
        : { suggestions: suggestions[name] ?? [] }),
    }));
  }, [data]);
}

/** All filters of the list: levels as toggles, the others as chips that can be removed. */
export function FilterBar({ filters, onFilter }: FilterBarProps) {
  const levels = (filters.riskLevel ?? '').split(',').filter((level) => level !== '');
  const choices = useChoices();
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
      <Filters
        choices={choices}
        filters={filters}
        onFilter={(name, value) => onFilter(name as SignalFilter, value)}
      />
    </div>
  );
}
