import { Button } from 'react-aria-components';
import { counted } from '../../format/numbers.ts';

interface MoreRowsProps {
  readonly shown: number;
  readonly total: number;
  /** As `signal`. */
  readonly unit: string;
  /** Of several; missing: with an s behind. */
  readonly units?: string;
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** How many there are of what is listed, and the next ones of them. */
export function MoreRows({ shown, total, unit, units, query }: MoreRowsProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  return (
    <p className="more-rows">
      <span role="status">
        {shown < total && `${shown} of `}
        {counted(total, unit, units)}
      </span>
      {hasNextPage && (
        <Button className="button" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </p>
  );
}
