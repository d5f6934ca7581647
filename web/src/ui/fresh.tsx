import type { Freshness } from '#schemas/api/dashboard.ts';
import { clockTime, duration } from '../format/times.ts';

interface FreshProps {
  /** When the numbers were read. */
  readonly asOf: string;
  /** Missing: they come from where nothing is behind. */
  readonly freshness?: Freshness;
}

const textOf = ({ asOf, freshness }: FreshProps): string => {
  if (freshness === undefined) return `as of ${clockTime(asOf)}`;
  if (freshness.complete) return `complete to ${clockTime(asOf)}`;
  return freshness.lagSeconds === null ? 'may be behind' : `${duration(freshness.lagSeconds)} behind`;
};

/** How far the numbers beside it go: a zero without it says nothing. */
export function Fresh(props: FreshProps) {
  const isBehind = props.freshness !== undefined && !props.freshness.complete;
  return (
    <span className="fresh" data-behind={isBehind}>
      {textOf(props)}
    </span>
  );
}
