import { latinLookalike } from '#core/detect/read/normalise/code-points.ts';
import type { UserRole } from '#schemas/vocabulary.ts';

/** Somebody who moved an incident. */
export interface Person {
  /** As it was written first. */
  readonly userId: string;
  /** The one role of this person in this incident, in all its rounds. */
  readonly role: UserRole;
  /** Has worked on it in the current round. */
  readonly worked: boolean;
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Without what nobody sees, in compatible forms: full-width letters are letters. */
const visible = (userId: string): string =>
  userId.normalize('NFKC').replaceAll(INVISIBLE, '').trim().replaceAll(/\s+/g, ' ');

/** With the Latin letters that letters of other alphabets look like. */
const asSeen = (text: string): string =>
  Array.from(text, (letter) => latinLookalike(letter.codePointAt(0)!) ?? letter).join('');

/** Composed once more at the end, because some letters fall apart when they become small. */
const small = (text: string): string => text.toLowerCase().normalize('NFKC');

/**
 * Whether two ids of users read alike: in any case, with or without spaces around them and characters that nobody sees,
 * and with letters of other alphabets. Capitals and small letters of an alphabet look like different ones, so both are
 * compared.
 */
export function isSameUser(one: string, other: string): boolean {
  const [first, second] = [visible(one), visible(other)];
  return (
    asSeen(small(first)) === asSeen(small(second)) ||
    asSeen(small(asSeen(first))) === asSeen(small(asSeen(second)))
  );
}

export const personOf = (people: readonly Person[], userId: string): Person | undefined =>
  people.find((person) => isSameUser(person.userId, userId));

/** After somebody moved the incident. `beginsRound`: what was done before counts no longer. */
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
