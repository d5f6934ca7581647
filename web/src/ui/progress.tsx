import { percent } from '../format/numbers.ts';

interface ProgressProps {
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  readonly children?: React.ReactNode;
}

/** Progress of a job, as a bar and in numbers. */
export function Progress({ label, share, children }: ProgressProps) {
  return (
    <div className="progress">
      <progress aria-label={label} max={1} value={Math.min(Math.max(share, 0), 1)} />
      <span aria-live="polite">
        {label}: {percent(share)}
        {children}
      </span>
    </div>
  );
}
