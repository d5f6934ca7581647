import { latinLookalike } from '#core/detect/read/normalise/code-points.ts';
import type { UserRole } from '#schemas/vocabulary.ts';

/** A user who moved an incident. */
export interface Person {
  /** In its first spelling. */
  readonly userId: string;
  /** This person's only role in this incident, across all rounds. */
  readonly role: UserRole;
  /** Has worked on it in the current round. */
  readonly worked: boolean;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Without invisible characters, compatibility-normalized: full-width letters become letters. */
const visible = (userId: string): string =>
  userId.normalize('NFKC').replaceAll(INVISIBLE, '').trim().replaceAll(/\s+/g, ' ');

/** Replaces letters of other alphabets with the Latin letters they resemble. */
const withLatinLookalikes = (text: string): string =>
  Array.from(text, (letter) => latinLookalike(letter.codePointAt(0)!) ?? letter).join('');

/** Normalized again, because some letters decompose when lower-cased. */
const lowerCased = (text: string): string => text.toLowerCase().normalize('NFKC');

/**
 * Whether two user ids read alike: ignoring case, surrounding spaces and invisible characters, and with lookalike
 * letters of other alphabets. Upper-case and lower-case letters may resemble different Latin ones, so both are
 * compared.
 */
export function isSameUser(one: string, other: string): boolean {
  const [first, second] = [visible(one), visible(other)];
  return (
    withLatinLookalikes(lowerCased(first)) === withLatinLookalikes(lowerCased(second)) ||
    withLatinLookalikes(lowerCased(withLatinLookalikes(first))) ===
      withLatinLookalikes(lowerCased(withLatinLookalikes(second)))
  );
}

export const personOf = (people: readonly Person[], userId: string): Person | undefined =>
  people.find((person) => isSameUser(person.userId, userId));

/** The people after a user moved the incident. `beginsRound`: earlier work no longer counts. */
export function peopleAfter(
  people: readonly Person[],
  { userId, role }: { readonly userId: string; readonly role: UserRole },
  { isWork, beginsRound }: { readonly isWork: boolean; readonly beginsRound: boolean },
): readonly Person[] {
  const known = personOf(people, userId);
  const before = people.filter((person) => person !== known);
  const kept = beginsRound ? before.map((person) => ({ ...person, worked: false })) : before;
  const worked = isWork || (!beginsRound && (known?.worked ?? false));
  return [...kept, { userId: known?.userId ?? userId, role, worked }];
}
