import { print, printError } from '../cli/command/output.ts';
import { optionsOf } from './options.ts';
import { measureCampaigns } from './patterns/campaigns.ts';
import { measureFold } from './patterns/fold.ts';
import { measureSearches } from './patterns/search.ts';

/**
 * Measures patterns: signals a second that one core folds, a whole search over `--signals` signals of a month, and how
 * soon a campaign is listed while `--rate` short ingests a second arrive. Without a name it runs all of them in turn.
 */
const { values, positionals } = optionsOf('patterns', { signals: 1_000_000, rate: 1_000, seconds: 60 });
const PARTS: Readonly<Record<string, () => unknown>> = {
  fold: measureFold,
  search: () => measureSearches(values.signals),
  campaigns: () => measureCampaigns(values.rate, values.seconds),
};
const unknown = positionals.filter((name) => !Object.keys(PARTS).includes(name));
if (unknown.length > 0) {
  printError(`"${unknown[0]}" is none of ${Object.keys(PARTS).join(', ')}`);
  process.exitCode = 1;
} else {
  for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) {
    print(`${name} ...`);
    await PARTS[name]!();
  }
}
