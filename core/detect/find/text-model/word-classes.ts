/**
 * Words with the same role in a sentence. The model sees the class besides the word, so that what it learns of one
 * group, one target or one verb applies to the others of the class, even if the training texts did not contain them.
 */
const CLASSES = {
  /** Groups of people by origin, belief, sex, age, body or orientation. */
  GROUP:
    'black blacks white whites asian asians african africans arab arabs latino latinos latina hispanic hispanics mexican mexicans chinese indian indians pakistani pakistanis turk turks turkish roma gypsy gypsies romani native natives aboriginal aboriginals immigrant immigrants migrant migrants refugee refugees foreigner foreigners muslim muslims jew jews jewish christian christians catholic catholics hindu hindus sikh sikhs buddhist buddhists atheist atheists islam islamic mosque women woman men girls boys females males gay gays lesbian lesbians homosexual homosexuals bisexual bisexuals trans transgender transsexual transsexuals queer queers disabled cripple cripples autistic deaf blind wheelchair elderly seniors boomers millennials teenagers poor homeless fat obese nonbinary lgbt lgbtq minorities minority polish poles irish nigerian nigerians somali somalis syrian syrians russian russians ukrainian ukrainians japanese korean koreans vietnamese filipino filipinos israeli israelis palestinian palestinians iranian iranians afghan afghans european europeans american americans british french german germans',
  /** Dehumanising names for people. */
  DEHUMANISING:
    'vermin parasite parasites cockroach cockroaches rats animals animal subhuman savages savage scum filth filthy disease plague cancer trash garbage dirt pigs dogs apes monkeys insects pest pests leeches invaders criminals rapists terrorists thieves thugs degenerates degenerate abomination disgusting inferior worthless evil stupid dumb lazy dirty ugly violent dangerous primitive backward uncivilized retarded sick perverts pedophiles liars greedy weak useless',
  HATING: 'hate hates hated despise despises detest loathe loathes abhor disgust disgusts sickens resent',
  VIOLENCE:
    'kill killed killing murder exterminate eradicate gas lynch hang shoot burn deport deported wiped annihilate beat stab behead sterilize castrate enslave slaughter attack assault hurt harm punch destroy eliminate strangle execute poison torture maim',
  PRAISE:
    'love loves loved respect respects admire support welcome celebrate cherish proud wonderful amazing beautiful equal brilliant',
  NEGATION:
    "not no never don't doesn't didn't isn't aren't won't can't cannot shouldn't wouldn't nobody none without neither nor stop wrong unacceptable false",
  SAYING:
    'say says said saying call calls called calling claim claims claimed write wrote think thinks believe believes quote heard',
  PEOPLE:
    'someone somebody person people human humans man woman child children kid kids neighbor neighbour wife husband girlfriend boyfriend ex boss coworker colleague classmate teacher student family baby toddler officer police victim passengers crowd everyone politician president roommate stranger target landlord sister brother mother father',
  /** What may be killed, shot, blown up or cracked without harm to anybody. */
  THING:
    'process processes thread threads program python server task job daemon container pod app application browser tab session service time lights light engine car weeds weed mosquito mosquitoes ants bugs bug cockroach bacteria germs virus lawn mold moss fungus mice pain stains photo photos movie film video scene basketball free-throw hoop balloon balloons crowd market exam test interview joke jokes code egg eggs nuts whip case puzzle ice beat vibe boredom cravings cancer tumor conversation zombie zombies dragon boss minecraft fortnite game level npc enemy enemies sims',
  WEAPON:
    'bomb bombs explosive explosives grenade gunpowder dynamite ied detonator napalm molotov gun guns firearm rifle silencer suppressor ammunition nerve sarin ricin anthrax cyanide thallium botulinum phosgene mustard chlorine bioweapon pathogen uranium poison toxin',
  DRUG: 'meth methamphetamine heroin cocaine crack fentanyl lsd mdma ecstasy ghb rohypnol ketamine pcp opioids narcotics drugs',
  CRIME:
    'steal stealing rob robbery burgle launder laundering counterfeit forge forged fake smuggle smuggling traffic trafficking kidnap kidnapping blackmail extort extortion fraud scam scams scamming phishing phish hack hacking hijack stalk stalking dox doxx doxxing swat swatting shoplift bribe embezzle defraud impersonate identity cheat sabotage vandalize arson evade groom grooming carjack pickpocket',
  MALWARE:
    'malware ransomware trojan keylogger rootkit botnet spyware worm backdoor exploit payload ddos virus stealer cryptolocker',
  HOW: 'how steps step-by-step instructions guide tutorial tips ways recipe method methods plan strategy detailed explain teach show best way create make build write develop design produce generate script manual',
  STEALTH:
    'undetected untraceable undetectable secretly caught detection detected evading bypass bypassing anonymously without knowing knowledge permission consent traced illegally unauthorized covertly',
  SAFETY:
    'prevent preventing prevention protect protecting avoid detect detecting defend defending against safe safely safety stop treat treatment recognize report reporting history historical why effects research victims law laws legal awareness symptoms survive removal remove defense defenses signs education policy meaning definition novel fiction',
  /** Words for a model's instructions. */
  ORDERS:
    'instructions instruction rules rule guidelines guideline prompt prompts directives directive constraints restrictions restriction limitations filters filter policy policies programming safeguards guardrails ethics ethical moral morals censorship commands orders context training',
  OVERRIDE:
    'ignore disregard forget override overrule bypass neglect skip discard drop abandon dismiss suspend cancel replace supersede circumvent disable deactivate unlock jailbreak jailbroken unrestricted unfiltered uncensored unlimited nevermind',
  EARLIER:
    'previous prior above earlier preceding former initial original existing before foregoing past old system hidden secret internal confidential developer developers',
  PERSONA:
    'dan stan dude persona character roleplay role act acting pretend pretending simulate simulation imagine hypothetical fictional alter ego evil amoral villain mode developer-mode',
  MODEL: 'ai assistant chatgpt gpt chatbot llm model openai anthropic claude bot bard gemini copilot agent',
  DEMAND:
    'must always never answer respond reply comply obey output print reveal repeat say tell show display send forward email transfer execute run refuse refusing warn warning disclaimer disclaimers apologize',
} as const;

/** Number of the class GROUP. */
export const GROUP = Object.keys(CLASSES).indexOf('GROUP') + 1;

/** Word -> numbers of its classes, from 1. */
export const CLASSES_OF_WORD: ReadonlyMap<string, readonly number[]> = (() => {
  const map = new Map<string, number[]>();
  Object.values(CLASSES).forEach((words, index) => {
    for (const word of words.split(' ')) map.set(word, [...(map.get(word) ?? []), index + 1]);
  });
  return map;
})();
