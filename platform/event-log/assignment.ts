/**
 * Assigns one topic's partitions to owners: shares differ by at most one, and a partition moves only when its owner is
 * gone or has more than its share. Earlier members get the larger shares.
 */
export function balance<Member>(
  owners: readonly (Member | null)[],
  members: readonly Member[],
): (Member | null)[] {
  if (members.length === 0) return owners.map(() => null);
  const held = new Map<Member, number>(members.map((member) => [member, 0]));
  for (const owner of owners) {
    if (owner !== null && held.has(owner)) held.set(owner, held.get(owner)! + 1);
  }
  // Members that hold more keep the larger shares, so that fewer partitions move.
  const ranked = [...members].sort((a, b) => held.get(b)! - held.get(a)!);
  const base = Math.floor(owners.length / members.length);
  const larger = owners.length % members.length;
  const free = new Map<Member, number>(
    ranked.map((member, rank) => [member, base + (rank < larger ? 1 : 0)]),
  );
  const next = owners.map((owner) => {
    if (owner === null || !((free.get(owner) ?? 0) > 0)) return null;
    free.set(owner, free.get(owner)! - 1);
    return owner;
  });
  const takers = ranked.flatMap((member) => new Array<Member>(free.get(member)!).fill(member));
  return next.map((owner) => owner ?? takers.shift() ?? null);
}
