interface UnknownFiltersProps {
  readonly names: readonly string[];
}

/** Parts of the address that do nothing here are named, and not dropped in silence. */
export function UnknownFilters({ names }: UnknownFiltersProps) {
  if (names.length === 0) return null;
  return (
    <p className="stale-note" role="status">
      {names.length === 1 ? 'Unknown filter ' : 'Unknown filters '}
      {names.map((name) => `“${name}”`).join(', ')} {names.length === 1 ? 'was' : 'were'} ignored.
    </p>
  );
}
