import type { Book } from '../state/book.ts';
import type { Cluster } from '../state/clusters.ts';
import type { Tally, Window } from '../state/shapes.ts';
import { burstIn } from './burst.ts';
import { campaignIn } from './campaign.ts';
import { crossSandboxIn } from './cross-sandbox.ts';
import { escalationIn } from './escalation.ts';
import { regressionsIn } from './model-regression.ts';
import { recurringIn } from './recurring.ts';
import type { Verdict } from './verdict.ts';

const some = (verdict: Verdict | null): Verdict[] => (verdict === null ? [] : [verdict]);

/** What is found in an open window, because this tally of it has grown. */
export function judgeTally(book: Book, tally: Tally): Verdict[] {
  const { key, window } = tally;
  switch (key.kind) {
    case 'RISK':
    case 'CODE':
      return some(burstIn(book, tally));
    case 'STRATUM':
      return regressionsIn(book, window, false, key.model!);
    case 'SANDBOX':
      return some(escalationIn(book, tally, false));
    case 'SANDBOX_CODE':
      return some(
        window.span === 'SHORT' ? crossSandboxIn(book, key.word, window) : recurringIn(book, tally),
      );
    default:
      return some(recurringIn(book, tally));
  }
}

export const judgeCluster = (book: Book, window: Window, cluster: Cluster): Verdict[] =>
  some(campaignIn(book, window, cluster));

/** All that is found in a window that is complete, in an order that does not depend on which came first. */
export function judgeWindow(book: Book, window: Window): Verdict[] {
  const found: Verdict[] = [];
  const bySandbox = new Map<string, Tally[]>();
  for (const tally of window.tallies) {
    const { kind, word } = tally.key;
    if (kind === 'RISK' || kind === 'CODE') found.push(...some(burstIn(book, tally)));
    else if (kind === 'SANDBOX') found.push(...some(escalationIn(book, tally, true)));
    else if (kind === 'SANDBOX_CODE' && window.span === 'SHORT') addUnder(bySandbox, word, tally);
    else if (kind !== 'STRATUM') found.push(...some(recurringIn(book, tally)));
  }
  for (const [code, tallies] of bySandbox) found.push(...some(crossSandboxIn(book, code, window, tallies)));
  if (window.clusters !== null) {
    found.push(...regressionsIn(book, window, true));
    for (const cluster of window.clusters.byId.values())
      found.push(...some(campaignIn(book, window, cluster)));
  }
  return found.sort((a, b) => order(a.type, b.type) || order(a.key, b.key));
}

function addUnder(tallies: Map<string, Tally[]>, code: string, tally: Tally): void {
  const known = tallies.get(code);
  if (known === undefined) tallies.set(code, [tally]);
  else known.push(tally);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
