import { Button } from 'react-aria-components';

interface MoreButtonProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Of a short list, which is read on by a button. */
export function MoreButton({ query }: MoreButtonProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  if (!hasNextPage) return null;
  return (
    <Button className="button" isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
      {isFetchingNextPage ? 'Loading' : 'Show more'}
    </Button>
  );
}
