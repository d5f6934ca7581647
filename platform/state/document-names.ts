/** Ids may come from request paths; an id with a control character could collide with another document's key. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Throws for a document whose scope, collection or id is not a valid name. */
export function checkNames(names: readonly string[]): void {
  if (names.some((name) => name === '' || CONTROL_CHARACTER.test(name)))
    throw new RangeError(
      'scope, collection and id of a document must not be empty or contain control characters',
    );
}

/** Order of ids in every adapter: by UTF-16 code units. */
export const compareKeys = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;
