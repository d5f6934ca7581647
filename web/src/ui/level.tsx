import type { RiskLevel } from '#schemas/vocabulary.ts';
import { label } from '../labels/label.ts';

/** A shape per level, so that colour is not the only difference. */
const SHAPES: Readonly<Record<RiskLevel, string>> = {
  LOW: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2z',
  MEDIUM: 'M3 3h10v10H3z',
  HIGH: 'M8 2l6.5 11.5h-13z',
  CRITICAL: 'M8 1l7 7-7 7-7-7z',
};

/** Highest level first, as in lists. */
export const LEVELS_DOWN: readonly RiskLevel[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];

const isLevel = (text: string): text is RiskLevel => Object.hasOwn(SHAPES, text);

/** Shape and label of a level; only the label for an unknown one from a newer release. */
export function Level({ level }: { readonly level: string }) {
  if (!isLevel(level)) return <span>{label('riskLevel', level)}</span>;
  return (
    <span className="level" data-level={level}>
      <Shape level={level} />
      {label('riskLevel', level)}
    </span>
  );
}

/** Only the shape, where other text names the level; a circle for an unknown one from another release. */
export const LevelShape = ({ level }: { readonly level: string }) => (
  <span className="level" data-level={isLevel(level) ? level : 'LOW'}>
    <Shape level={isLevel(level) ? level : 'LOW'} />
  </span>
);

const Shape = ({ level }: { readonly level: RiskLevel }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <path d={SHAPES[level]} />
  </svg>
);
