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

/**
 * The spelling by which ids of users are compared: "Alice " is "alice". Composed once more at the end, because some
 * letters fall apart when they become small.
 */
export const userKey = (userId: string): string =>
  userId.trim().normalize('NFC').toLowerCase().normalize('NFC');

export const isSameUser = (one: string, other: string): boolean => userKey(one) === userKey(other);

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
