import type { Freshness } from '#schemas/api/dashboard.ts';
import { clockTime, duration, relativeTime } from '../format/times.ts';
import { useNow } from './use-now.ts';

interface FreshProps {
  /** When the numbers were read. */
  readonly asOf: string;
  /** Missing: the numbers have no lag. */
  readonly freshness?: Freshness;
}

const JUST_NOW_MS = 10_000;

function textOf({ asOf, freshness }: FreshProps, nowMs: number): string {
  if (freshness === undefined) {
    const isNew = nowMs - new Date(asOf).getTime() < JUST_NOW_MS;
    return `Updated ${isNew ? 'just now' : relativeTime(asOf, nowMs)}`;
  }
  if (freshness.complete) return 'Up to date';
  if (freshness.lagSeconds === null) return 'May be delayed';
  return freshness.lagSeconds < 1 ? 'Live' : `${duration(freshness.lagSeconds)} delay`;
}

/** How current the numbers next to it are: without that, a zero means nothing. */
export function Fresh(props: FreshProps) {
  const now = useNow();
  const isLagging = props.freshness !== undefined && !props.freshness.complete;
  return (
    <span className="fresh" data-behind={isLagging} title={`As of ${clockTime(props.asOf)}`}>
      {textOf(props, now)}
    </span>
  );
}
