interface UnknownFiltersProps {
  readonly names: readonly string[];
}

/** Names the parameters in the address that have no effect here, instead of silently dropping them. */
export function UnknownFilters({ names }: UnknownFiltersProps) {
  if (names.length === 0) return null;
  return (
    <p className="stale-note" role="status">
      {names.length === 1 ? 'Unknown filter ' : 'Unknown filters '}
      {names.map((name) => `“${name}”`).join(', ')} {names.length === 1 ? 'was' : 'were'} ignored.
    </p>
  );
}
