import { Button } from 'react-aria-components';
import { counted } from '../../format/numbers.ts';

interface MoreRowsProps {
  /** Singular, such as `signal`. */
  readonly unit: string;
  /** Plural; by default with an s appended. */
  readonly units?: string;
  readonly query: {
    readonly data:
      | { readonly rows: readonly unknown[]; readonly total: number; readonly isCut: boolean }
      | undefined;
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The number of listed records, and a button for the next ones. */
export function MoreRows({ unit, units, query }: MoreRowsProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  // An empty list shows what to do instead.
  if (data === undefined || data.total === 0) return null;
  const { rows, total, isCut } = data;
  return (
    <p className="more-rows">
      <span role="status">
        {rows.length < total && `${rows.length} of `}
        {counted(total, unit, units)}
        {isCut && '. Narrow your filters to see more.'}
      </span>
      {hasNextPage && (
        <Button className="button" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </p>
  );
}
