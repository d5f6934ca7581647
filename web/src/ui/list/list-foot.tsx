import { Button } from 'react-aria-components';
import { counted } from '../../format/numbers.ts';

interface ListFootProps {
  readonly shown: number;
  readonly total: number;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly onMore: () => void;
}

/** How much of a list is there, and what leads to more of it. */
export function ListFoot({ shown, total, hasMore, isFetching, onMore }: ListFootProps) {
  if (shown >= total) return null;
  return (
    <p className="list-foot">
      <span className="muted">
        {shown} of {counted(total, 'row')}
        {!hasMore && ': narrow the filters for the others'}
      </span>
      {hasMore && (
        <Button className="button" isDisabled={isFetching} onPress={onMore}>
          {isFetching ? 'Loading' : 'More'}
        </Button>
      )}
    </p>
  );
}
