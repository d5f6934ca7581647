import type { Cluster } from '../state/clusters.ts';
import type { Counters } from '../state/counters.ts';
import type { Tally, Window } from '../state/shapes.ts';
import { burstIn } from './burst.ts';
import { campaignIn } from './campaign.ts';
import { crossSandboxIn } from './cross-sandbox.ts';
import { escalationIn } from './escalation.ts';
import { regressionsIn } from './model-regression.ts';
import { recurringIn } from './recurring.ts';
import type { Verdict } from './verdict.ts';

const some = (verdict: Verdict | null): Verdict[] => (verdict === null ? [] : [verdict]);

/** Verdicts in an open window after this tally has grown. */
export function judgeTally(counters: Counters, tally: Tally): Verdict[] {
  const { key, window } = tally;
  switch (key.kind) {
    case 'RISK':
    case 'CODE':
      return some(burstIn(counters, tally));
    case 'STRATUM':
      return regressionsIn(counters, window, false, key.model!);
    case 'SANDBOX':
      return some(escalationIn(counters, tally, false));
    case 'SANDBOX_CODE':
      return some(
        window.span === 'SHORT' ? crossSandboxIn(counters, key.word, window) : recurringIn(counters, tally),
      );
    default:
      return some(recurringIn(counters, tally));
  }
}

export const judgeCluster = (counters: Counters, window: Window, cluster: Cluster): Verdict[] =>
  some(campaignIn(counters, window, cluster));

/** All verdicts of a complete window, in an order that does not depend on the order of arrival. */
export function judgeWindow(counters: Counters, window: Window): Verdict[] {
  const found: Verdict[] = [];
  const bySandbox = new Map<string, Tally[]>();
  for (const tally of window.tallies) {
    const { kind, word } = tally.key;
    if (kind === 'RISK' || kind === 'CODE') found.push(...some(burstIn(counters, tally)));
    else if (kind === 'SANDBOX') found.push(...some(escalationIn(counters, tally, true)));
    else if (kind === 'SANDBOX_CODE' && window.span === 'SHORT') addUnder(bySandbox, word, tally);
    else if (kind !== 'STRATUM') found.push(...some(recurringIn(counters, tally)));
  }
  for (const [code, tallies] of bySandbox)
    found.push(...some(crossSandboxIn(counters, code, window, tallies)));
  if (window.clusters !== null) {
    found.push(...regressionsIn(counters, window, true));
    for (const cluster of window.clusters.byId.values())
      found.push(...some(campaignIn(counters, window, cluster)));
  }
  return found.sort((a, b) => order(a.type, b.type) || order(a.key, b.key));
}

function addUnder(tallies: Map<string, Tally[]>, code: string, tally: Tally): void {
  const known = tallies.get(code);
  if (known === undefined) tallies.set(code, [tally]);
  else known.push(tally);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
