import { exactNumber, shortNumber } from '../format/numbers.ts';

/** A number, shortened when large; its title is the exact one. */
export function Amount({ value }: { readonly value: number }) {
  return (
    <span className="amount" title={exactNumber(value)}>
      {shortNumber(value)}
    </span>
  );
}
