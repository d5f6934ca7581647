import phrases from '../lists/dangerous-things.json' with { type: 'json' };
import { oneOf, words } from '../phrase-rules.ts';

const HOMEMADE =
  '(?:home-?made |improvised |simple |working |real |powerful |small |deadly |undetectable |untraceable |remote-?controlled |dirty |effective |functional |fully |new |custom |lethal |quick )?';
/**
 * The things to make: explosives, agents, drugs, weapons, malware. After some words, the thing means something else.
 */
export const THINGS = oneOf(...phrases.things.map((thing) => thing.replace('{homemade}', HOMEMADE)));
export const THING_HEADS = phrases.thingHeads;

export const ACTS = oneOf(
  `hack(?:ing|s)? (?:in(?:to|side) |onto )?(?:and \\p{L}{3,10} )?(?:${words(3)})(?:accounts?|e-?mails?|gmail|facebook|instagram|snapchat|whatsapp|wi-?fi(?: network)?|banks?|bank accounts?|phones?|computers?|servers?|websites?|networks?|databases?|systems?|government|webcams?|cameras?|atms?|cars?|power grid|voting machines?|passwords?|someone|routers?|hospital|school|devices?|drones?|people)(?! together)`,
  `(?:break(?:ing)?|sneak(?:ing)?) (?:and enter(?:ing)? )?into (?:${words(2)})(?:houses?|homes?|cars?|safes?|buildings?|apartments?|stores?|banks?|vaults?|atms?|accounts?|phones?|networks?|system|museum|neighbou?r.s \\p{L}{3,9})`,
  'hot-?wir(?:e|ing) (?:a |the |any |someone.s )?(?:car|vehicle|truck|motorcycle)',
  `(?:steal(?:ing|s)?|theft of|harvest(?:ing|s)?) (?:${words(3)})(?:information|details|identity|copper|metals?|mail|secrets?|accounts?|cars?|credit cards?|identit(?:y|ies)|money|packages?|passwords?|data|vehicles?|bikes?|from (?:${words(2)})(?:stores?|shops?|work|bank|employer|homes?|people|museum)|credentials|catalytic converters?)`,
  'shoplift(?:ing)?',
  `(?:rob|robbing) (?:a |the |my )?(?:${words(1)})(?:banks?|stores?|house|atm|person|people|armou?red|jewelry|casino|train|shop)`,
  `kidnap(?:ping)? (?:a |an |my |the )?(?:${words(1)})(?:child|kid|person|someone|people|woman|girl|boy|ex|politician|wife|daughter)`,
  'traffic(?:king)? (?:humans?|people|children|women|drugs|organs|girls|migrants)',
  `smuggl(?:e|ing) (?:${words(2)})(?:drugs?|people|guns?|weapons?|cocaine|firearms|cigarettes|migrants|across|past|through|into)`,
  `poison(?:ing)? (?:${words(2)})(?:water supply|someone|reservoir|food supply|crowd|people|neighbou?r.?s?(?: dog)?|a person|coworkers?|husband|wife|dog|cat)`,
  `(?:evade|evading|escape|escaping|avoid getting caught by|outrun) (?:the )?(?:police|law enforcement|cops|fbi|customs)`,
  '(?:dispose|disposing|get rid) of (?:a |the )?(?:dead )?(?:body|corpse|murder weapon|evidence)',
  `(?:sabotage|sabotaging|derail(?:ing)?|crash(?:ing)?|hijack(?:ing)?|destroy(?:ing)?) (?:a |an |the )?(?:${words(1)})(?:power grid|planes?|airplanes?|trains?|aircraft|water (?:supply|treatment)|pipelines?|dam|bridge|brakes|elections?)`,
  `(?:tamper(?:ing)? with|rig(?:ging)?) (?:${words(2)})(?:votes?|voting|elections?|ballots?|brakes?|food|evidence)`,
  `(?:intercept(?:ing)?|eavesdrop(?:ping)? on|spy(?:ing)? on|track(?:ing)?|wiretap(?:ping)?|clone|cloning) (?:${words(3)})(?:without (?:${words(2)})(?:knowing|knowledge|consent|permission)|secretly)`,
  `exploit(?:ing|s)? (?:${words(3)})(?:vulnerabilit(?:y|ies)|zero-?days?|security (?:flaws?|holes?)|victims?)`,
  `crack(?:ing|s)? (?:${words(2)})(?:passwords?|wi-?fi|hash(?:es)?|encryption|safes?)`,
  `(?:launch|perform|conduct|carry out|execut|organi[sz])(?:e|ing|es)? (?:an? |the )?(?:${words(3)})(?:cyber-? ?attacks?|watering hole attacks?|man in the middle attacks?|sql injection attacks?|drive by (?:shooting|download)s?|terror\\p{L}{0,3} attacks?|ddos attacks?)`,
  `illegally (?:${words(1)})(?:obtain|acquir|traffic|sell|buy|convert|us|purchas|import|own|enter|tap|hunt|dump)(?:e|ing)? (?:${words(2)})\\p{L}{3,14}`,
  `(?:obtain|acquire|buy|get|use|acquir|purchas|sell)(?:e|ing)? (?:${words(3)})(?:illegally|without (?:a )?(?:background check|prescription|license|permit))`,
  `vandali[sz](?:e|ing) (?:${words(2)})(?:property|car|building|school|church|synagogue|mosque|store|house)`,
  `(?:bypass|disabl|defeat|evad)(?:e|ing)? (?:${words(2)})(?:airport security|antivirus|security cameras?|alarm systems?|alarms|burglar alarms?|ankle monitors?|breathalyzers?|drug tests?|firewalls?|multi factor|mfa|2fa|two factor)`,
  'escap(?:e|ing) from (?:a |the )?(?:\\p{L}{3,12} )?(?:prison|jail|correctional|custody|police|handcuffs)',
  `(?:convert(?:ing)?|modify(?:ing)?|turn(?:ing)?) (?:${words(4)})(?:in)?to (?:an? )?(?:fully )?(?:automatic|bomb|weapon|explosive)(?: weapon| rifle)?`,
  `(?:caus(?:e|ing)|inflict(?:ing)?) (?:${words(1)})(?:physical harm|serious injury|bodily harm|mass casualties|panic|a (?:blackout|stampede|riot)|harm) (?:to|on|in) (?:${words(2)})\\p{L}{3,12}`,
  'cheat(?:ing)? on (?:a |the )?(?:lie detector|polygraph|drug test)',
);
export const ACT_HEADS = phrases.deedHeads;
