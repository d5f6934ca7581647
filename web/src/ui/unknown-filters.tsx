interface UnknownFiltersProps {
  /** What the list holds, as `Signals`. */
  readonly what: string;
  readonly names: readonly string[];
}

/** Parts of the address that do nothing here are named, and not dropped in silence. */
export function UnknownFilters({ what, names }: UnknownFiltersProps) {
  if (names.length === 0) return null;
  return (
    <p className="stale-note" role="status">
      {what} cannot be filtered by {names.join(', ')}, so that part of the address does nothing here.
    </p>
  );
}
