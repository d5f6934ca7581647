import { MAX_MEMBERS } from './rules.ts';

/** A counted signal. One object is shared by everything that it counts for. */
export interface Member {
  readonly index: number;
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  /** Index of its risk level in RISK_LEVELS. */
  readonly rank: number;
}

/** First and last time (Unix ms), and the highest rank. */
interface Extremes {
  firstAt: number;
  lastAt: number;
  rank: number;
}

/** The signals of a tally, a cluster or a finding. */
export interface Evidence {
  count: number;
  /** The first `MAX_MEMBERS` in index order; the others are only counted. */
  members: Member[];
  /** Extremes of all signals, if they differ from those of the members; null: they do not, as for most evidence. */
  beyond: Extremes | null;
}

/** Shared by all evidence without members; never written to, because the first member starts a new list. */
export const NO_MEMBERS: Member[] = [];

export const noEvidence = (): Evidence => ({ count: 0, members: NO_MEMBERS, beyond: null });

export function addMember(evidence: Evidence, member: Member): void {
  evidence.count += 1;
  const { members } = evidence;
  if (members.length === MAX_MEMBERS) evidence.beyond ??= extremesOf(evidence);
  const { at, rank } = member;
  if (evidence.beyond !== null) widen(evidence.beyond, { firstAt: at, lastAt: at, rank });
  // A push to an empty list reserves room for sixteen, and most tallies of short windows have one.
  if (members.length === 0) evidence.members = [member];
  else if (members[members.length - 1]!.index > member.index) insert(members, member);
  else if (members.length < MAX_MEMBERS) members.push(member);
}

/** When signals arrive day by day, those of a window around midnight are not in index order. */
function insert(members: Member[], member: Member): void {
  let at = members.length - 1;
  while (at > 0 && members[at - 1]!.index > member.index) at -= 1;
  members.splice(at, 0, member);
  if (members.length > MAX_MEMBERS) members.pop();
}

const noExtremes = (): Extremes => ({ firstAt: Number.MAX_SAFE_INTEGER, lastAt: 0, rank: 0 });

function widen(extremes: Extremes, { firstAt, lastAt, rank }: Extremes): Extremes {
  if (firstAt < extremes.firstAt) extremes.firstAt = firstAt;
  if (lastAt > extremes.lastAt) extremes.lastAt = lastAt;
  if (rank > extremes.rank) extremes.rank = rank;
  return extremes;
}

/** Of all signals, including those that are only counted. */
export function extremesOf({ beyond, members }: Pick<Evidence, 'beyond' | 'members'>): Readonly<Extremes> {
  if (beyond !== null) return beyond;
  const extremes = noExtremes();
  for (const { at, rank } of members) widen(extremes, { firstAt: at, lastAt: at, rank });
  return extremes;
}

/** Evidence with known extremes, which are kept only if they differ from those of the members. */
export function evidenceOf(count: number, members: Member[], extremes: Extremes): Evidence {
  const { firstAt, lastAt, rank } = extremesOf({ members, beyond: null });
  const matchesMembers = firstAt === extremes.firstAt && lastAt === extremes.lastAt && rank === extremes.rank;
  return { count, members, beyond: matchesMembers && count === members.length ? null : extremes };
}

/** A copy that later counts do not change. */
export const copyOf = ({ count, members, beyond }: Evidence): Evidence => ({
  count,
  members: [...members],
  beyond: beyond === null ? null : { ...beyond },
});

/** The union of disjoint evidence. */
export function joined(parts: readonly Evidence[]): Evidence {
  const members = parts.flatMap((part) => part.members).sort((a, b) => a.index - b.index);
  const extremes = noExtremes();
  for (const part of parts) widen(extremes, extremesOf(part));
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return evidenceOf(count, members.slice(0, MAX_MEMBERS), extremes);
}

/**
 * Removes erased signals and returns them. Times and risk level are recomputed if all remaining signals are known;
 * otherwise they stay, because a signal that is only counted may have them.
 */
export function removeMembers(evidence: Evidence, isErased: (index: number) => boolean): Member[] {
  const gone = evidence.members.filter(({ index }) => isErased(index));
  if (gone.length === 0) return gone;
  const before = extremesOf(evidence);
  const areAllKnown = evidence.count === evidence.members.length;
  evidence.members = evidence.members.filter(({ index }) => !isErased(index));
  evidence.count -= gone.length;
  evidence.beyond = areAllKnown && evidence.count > 0 ? null : before;
  return gone;
}
