import phrases from '../lists/bias-trait-words.json' with { type: 'json' };
import { oneOf } from '../phrase-rules.ts';

export const BAD = oneOf(...phrases.bad);

export const ADVERBS =
  '(?:(?:all|just|always|often|usually|generally|naturally|inherently|simply|really|so|very|too|such|typically|basically|mostly|known to be|born|biologically|genetically|more|less|far|much|often|nothing but|a bunch of|bunch of|notoriously|by nature|clearly|obviously|also|only|quite|way|a bit|known|still|essentially|prone to be(?:ing)?|instinctively|probably|likely|an?|the most|most|the least|least|even) ){0,5}';
export const WORK = oneOf(...phrases.work);

export const IS =
  "(?: (?:are|is|were|was|being|be|tend to be|seem|look|act|become|get|will be|can be|end up(?: being)?)|'re)";
export const CANNOT = oneOf(...phrases.cannot);
export const ABLE = oneOf(...phrases.able);
export const BARRED = oneOf(...phrases.barred);
export const ADMITTED = oneOf(...phrases.admitted);
export const PLACE = oneOf(...phrases.place);
