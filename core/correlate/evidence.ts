import { MAX_MEMBERS } from './rules.ts';

/** A signal that counts for something. One object for all that it counts for. */
export interface Member {
  readonly index: number;
  readonly id: string;
  /** Unix ms. */
  readonly at: number;
  /** Place of its risk level among RISK_LEVELS. */
  readonly rank: number;
}

/** The signals behind a tally, a cluster or a finding. */
export interface Evidence {
  count: number;
  /** In index order, the first `MAX_MEMBERS`: the others are a number only. */
  members: Member[];
  firstAt: number;
  lastAt: number;
  /** The highest of them. */
  rank: number;
}

export const noEvidence = (): Evidence => ({
  count: 0,
  members: [],
  firstAt: Number.MAX_SAFE_INTEGER,
  lastAt: 0,
  rank: 0,
});

export function addMember(evidence: Evidence, member: Member): void {
  evidence.count += 1;
  const { members } = evidence;
  // A list that is begun by a push has room for sixteen, and most tallies of short windows have one.
  if (members.length === 0) evidence.members = [member];
  else if (members[members.length - 1]!.index > member.index) insert(members, member);
  else if (members.length < MAX_MEMBERS) members.push(member);
  if (member.at < evidence.firstAt) evidence.firstAt = member.at;
  if (member.at > evidence.lastAt) evidence.lastAt = member.at;
  if (member.rank > evidence.rank) evidence.rank = member.rank;
}

/** Where signals come day by day, those of a window around midnight are not in the order of their indexes. */
function insert(members: Member[], member: Member): void {
  let at = members.length - 1;
  while (at > 0 && members[at - 1]!.index > member.index) at -= 1;
  members.splice(at, 0, member);
  if (members.length > MAX_MEMBERS) members.pop();
}

/** As it is now: what is counted later does not change it. */
export const copyOf = (evidence: Evidence): Evidence => ({ ...evidence, members: [...evidence.members] });

/** The signals of several, no two of which share any. */
export function joined(parts: readonly Evidence[]): Evidence {
  const all = noEvidence();
  for (const { count, members, firstAt, lastAt, rank } of parts) {
    all.count += count;
    all.members.push(...members);
    all.firstAt = Math.min(all.firstAt, firstAt);
    all.lastAt = Math.max(all.lastAt, lastAt);
    all.rank = Math.max(all.rank, rank);
  }
  all.members = all.members.sort((a, b) => a.index - b.index).slice(0, MAX_MEMBERS);
  return all;
}

/**
 * Takes erased signals out, and says which. Times and risk level are those of the remaining ones where all are known;
 * else they stay, because one that is only a number may have them.
 */
export function removeMembers(evidence: Evidence, isErased: (index: number) => boolean): Member[] {
  const gone = evidence.members.filter(({ index }) => isErased(index));
  if (gone.length === 0) return gone;
  const areAllKnown = evidence.count === evidence.members.length;
  evidence.members = evidence.members.filter(({ index }) => !isErased(index));
  evidence.count -= gone.length;
  if (!areAllKnown || evidence.count === 0) return gone;
  const ats = evidence.members.map(({ at }) => at);
  evidence.firstAt = Math.min(...ats);
  evidence.lastAt = Math.max(...ats);
  evidence.rank = Math.max(...evidence.members.map(({ rank }) => rank));
  return gone;
}
