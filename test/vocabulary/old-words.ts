/** A word or phrase that must not return to user-facing text, and its replacement. */
interface OldWords {
  readonly name: string;
  readonly pattern: RegExp;
  readonly write: string;
}

/**
 * Patterns are narrow where a word has a proper use too: "behind a proxy", "part of", "renew a certificate", "legal
 * hold", "take place".
 */
export const OLD_WORDS: readonly OldWords[] = [
  { name: 'goes on', pattern: /\b(?:go|goes|going|gone|went) on\b/i, write: 'continues, resumed' },
  { name: 'begin', pattern: /\b[Bb]eg(?:in|ins|an|un|inning|innings)\b/, write: 'start' },
  { name: 'anew', pattern: /\banew\b|\bonce more\b/i, write: 'again' },
  {
    name: 'behind',
    pattern:
      /(?<!look-|\bfall(?:s|ing|en)? |\bfell )\bbehind\b(?! (?:(?:an?|the|your|its|another|one) )?(?:\w+ )?(?:prox(?:y|ies)|balancer|ingress|firewall|NAT|TLS)\b)/i,
    write: 'after; lag',
  },
  { name: 'beside', pattern: /\bbesides?\b/i, write: 'next to, with, in addition to' },
  {
    name: 'of its own',
    pattern: /\bof (?:its|their|his|her|your|our|my) own\b/i,
    write: 'its own, separate',
  },
  {
    name: 'nobody',
    pattern: /\b(?:nobody|somebody|whoever|whosoever)\b/i,
    write: 'no user, an operator, any client: the role',
  },
  { name: 'who as a subject', pattern: /(?:^|[.;:] )Who (?!can\b)[^?]*$/, write: 'the role' },
  { name: 'told', pattern: /\b(?:told|tells)\b|\btell (?:apart|by)\b/i, write: 'reported, says, declared' },
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, write: 'fix' },
  {
    name: 'put away',
    pattern: /\bput(?:s|ting)? away\b|\b(?:let|lets|letting) go\b|\bthr(?:ow|ows|own|ew) away\b/i,
    write: 'archive, release, discard',
  },
  { name: 'under way', pattern: /\bunder ?way\b/i, write: 'in progress' },
  {
    name: 'part (a backing service)',
    pattern:
      /\bbacking parts?\b|\b(?:an?|the|this|that|each|every|another|which|embedded) part (?:that|which|is|was|cannot|could|can|did|does|fails|failed|answers|works|to answer|did not)\b/i,
    write: 'dependency, or its name',
  },
  {
    name: 'look (noun)',
    pattern:
      /\b(?:an?|each|every|the|this|per|first|next|last|second|another) looks?\b(?! like\b)|\b(?:is|are|was|were|be|been) looked\b/i,
    write: 'read, check, poll',
  },
  {
    name: 'what came',
    pattern: /\bwhat (?:came|comes|went)\b/i,
    write: 'the response, the input, the record',
  },
  { name: 'dear', pattern: /\bdear(?:er|est)?\b|\b[Cc]ostl(?:y|ier|iest)\b/, write: 'expensive, slow' },
  {
    name: 'find (noun)',
    pattern:
      /\b(?:an?|the|its|no|each|every|these|those|all|many|of|more|whose|own|which|\d+|…) finds\b|\b(?:an?|each|every|one|no) find\b/i,
    write: 'match, detection',
  },
  { name: 'book', pattern: /\bbooks?\b|\bbookkeeping\b/i, write: 'reconciliation, counters, cache' },
  {
    name: 'place',
    pattern:
      /\b(?:an?|the|this|that|each|every|no|which|one|some|any) places?\b(?! of\b)|\b(?:its|their) places?\b/i,
    write: 'position, offset, range',
  },
  { name: 'hole', pattern: /\bholes?\b/i, write: 'gap' },
  { name: 'shelf', pattern: /\bshel(?:f|ves)\b/i, write: 'storage' },
  { name: 'desk', pattern: /\b(?<!help |service )desks?\b/i, write: 'signer' },
  { name: 'standing', pattern: /\bstandings?\b/i, write: 'status' },
  { name: 'taken under', pattern: /\btaken under\b/i, write: 'assignment' },
  { name: 'lifted', pattern: /\blift(?:s|ed|ing)?\b/i, write: 'raised; released, for a legal hold' },
  { name: 'held against', pattern: /\bheld against\b/i, write: 'compared with' },
  {
    name: 'renew (a list)',
    pattern: /\brenew(?:s|ed|ing)?\b(?!.*\b(?:certificate|lease|token|session|subscription)s?\b)/i,
    write: 'refresh',
  },
  {
    name: 'take away',
    pattern: /\b(?:take|takes|taken|taking|took)(?: [\w…]+){0,3} away\b|\b(?:give|gave|given) away\b/i,
    write: 'remove',
  },
  { name: 'From, to', pattern: /^From, to\b/, write: 'custom range' },
  { name: 'MOST_', pattern: /\bMOST_[A-Z]/, write: 'MAX_' },
  { name: 'for good', pattern: /\bfor good\b/i, write: 'permanently' },
  { name: 'may be at once', pattern: /\bas (?:many as )?may be\b/i, write: 'too many ... in progress' },
  {
    name: 'any ... of which',
    pattern: /\bany \w+ of which\b|\bin this view yet\b/i,
    write: 'that have ever ...',
  },
  { name: 'say --flag', pattern: /\b(?:say|saying|says) --\w/i, write: 'pass --flag' },
  { name: 'Left out:', pattern: /\bLeft out:/i, write: 'Optional. Default:' },
];

/** The old words in a text, each with its replacement. */
export const oldWordsIn = (text: string): string[] =>
  OLD_WORDS.filter(({ pattern }) => pattern.test(text)).map(
    ({ name, write }) => `"${name}" (write: ${write})`,
  );
