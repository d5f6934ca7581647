import { exactNumber, shortNumber } from '../format/numbers.ts';

/** A number that is short where it would be long; the exact one is its title. */
export function Amount({ value }: { readonly value: number }) {
  return (
    <span className="amount" title={exactNumber(value)}>
      {shortNumber(value)}
    </span>
  );
}
