import { type SeededRandom, seededRandom } from '../random.ts';
import type { LabelledSpan } from '../spans.ts';

/** A made-up text with the names and addresses in it. */
export interface LabelledText {
  readonly text: string;
  readonly spans: readonly LabelledSpan[];
}

const list = (names: string): readonly string[] => names.split(',').map((name) => name.trim());

/** Names of many cultures, written down by hand. */
const PEOPLE =
  list(`Hannah Whitmore, Tunde Adeyemi-Cole, Mei-Ling Zhou, Priyanka Subramaniam, Björn Håkansson, Siobhán O'Dowd,
  Jean-Luc Desrosiers, Aleksandra Wiśniewska, Yusuf al-Rashid, Ingeborg von Hallberg, Carlos Mendieta Ruiz, Ana Lucía Barrientos,
  Thandiwe Mokoena, Kwabena Owusu, Hiroshi Takamura, Ji-woo Hwang, Nguyễn Thị Hoa, Rajesh Krishnamurthy, Fatemeh Karimzadeh,
  Dmitri Voloshin, Ludmila Petrenko, Giulia Ferrantini, Matteo De Angelis, Sofie van der Meulen, Pieter de Groot, Lars Mikkelsen,
  Aino Rautavaara, Gergely Szalontai, Ioana Dumitrescu, Nikos Papadakis, Elif Yıldırım, Omar Haddad, Leila Ben Salah,
  Chidinma Okonkwo, Abebe Tekle, Marisol Quispe, Thiago Figueiredo, Beatriz Nogueira da Silva, Tomáš Havlíček, Zuzana Kováčová,
  Katarzyna Zielonka, Ruairí Mac Giolla, Angharad Prosser, Callum McAllister, Margaret T. Oyelaran, J. P. Hargreaves, R. Castellano,
  Wilhelmina Brandt, Otto Freudenberg, Chloé Marchand, Baptiste Lefebvre, Noor Siddiqui, Imran Qureshi, Ayesha Rahman, Deepak Bhatt,
  Sunita Deshpande, Kiri Tamahori, Lachlan Pemberton, Dakota Redfeather, Marcus Ellison Jr., Denise Kowalczyk, Brian Stapleton,
  Joyce Abernathy, Gus Papadopoulos, Vikram Iyer, Grace Kim, Will Turner, Mark Rivers, Faith Young, Rose Baker`);
const FIRST =
  list(`Hannah, Tunde, Mei, Priyanka, Björn, Siobhán, Aleksandra, Yusuf, Ingeborg, Thandiwe, Kwabena, Hiroshi, Rajesh, Dmitri, Giulia,
  Matteo, Sofie, Pieter, Aino, Gergely, Ioana, Nikos, Elif, Omar, Leila, Chidinma, Marisol, Thiago, Beatriz, Zuzana, Angharad, Callum,
  Chloé, Baptiste, Imran, Ayesha, Deepak, Sunita, Lachlan, Marcus, Denise, Brian, Joyce, Gus, Vikram, Emily, Kevin, Laura, Steve, Nadia`);
const LAST =
  list(`Whitmore, Adeyemi, Zhou, Subramaniam, Håkansson, O'Dowd, Desrosiers, Wiśniewska, Hallberg, Mendieta, Mokoena, Owusu, Takamura,
  Hwang, Krishnamurthy, Karimzadeh, Voloshin, Petrenko, Ferrantini, De Angelis, van der Meulen, Mikkelsen, Szalontai, Dumitrescu, Papadakis,
  Yıldırım, Haddad, Okonkwo, Figueiredo, Havlíček, Zielonka, McAllister, Oyelaran, Hargreaves, Freudenberg, Marchand, Siddiqui, Deshpande,
  Pemberton, Abernathy, Stapleton, Kowalczyk`);
const TOWNS =
  list(`Paris, Jordan River, Santiago, Charlotte, Austin, Lincoln, Houston, Florence, Washington, Chelsea, Sydney, Geneva, Victoria,
  San Jose, Madison, Jackson, Odessa, Alexandria, Milan, Kyoto, Nairobi, Accra, Leeds, Bergen, Gdansk, Porto`);
const THINGS =
  list(`Python, Java, Ruby, Julia, Jenkins, Jasmine, Django, Kafka, Tesla, Mercedes, Watson, Alexa, Siri, Claude, Lambda, Apache, Excel,
  Redis, Swift, Ada, Pascal, Haskell, Hadoop, Kubernetes, Spotify, Instagram, WhatsApp, Zoom, Monday, August, April, June, French, Latin, Turkish, Swahili`);
const FIRMS =
  list(`Morgan Stanley, Johnson & Johnson, Wells Fargo, Ernst & Young, Goldman Sachs, Baker McKenzie, Marks & Spencer, Charles Schwab,
  Ben & Jerry's, Levi Strauss, John Deere, Warner Bros, Abbott Laboratories, Merck, Philip Morris, Ralph Lauren, Peterson Logistics, Delta Air Lines,
  Northwind Traders, Acme Corporation, Bluebird Dental Clinic, Harbor Freight`);
const ADDRESSES = [
  '1842 Sycamore Lane, Apt 3C, Portland, OR 97205',
  '77 Garrison Street\nBoston, MA 02116',
  '9 Bramble Close, Wokingham, RG40 2LT',
  'Flat 12, 301 Old Kent Road, London SE1 5JW',
  'Lindenallee 44, 10115 Berlin',
  'Schulstraße 7a, 80331 München, Germany',
  '18 rue des Écoles, 75005 Paris',
  '6 bis avenue Foch, 69006 Lyon, France',
  'Calle de Alcalá 215, 3º B, 28028 Madrid',
  'Via Garibaldi 31, 50123 Firenze FI, Italy',
  'Prinsengracht 263, 1016 GV Amsterdam',
  'ul. Mokotowska 15/4, 00-640 Warszawa',
  'Storgata 22, 0184 Oslo',
  'Drottninggatan 88, 111 36 Stockholm',
  'Rua Augusta 1508, São Paulo, SP 01304-001',
  '450 Serra Mall, Stanford, CA 94305',
  'PO Box 7731, Boise, ID 83707',
  'P.O. Box 92, Galway, Ireland',
  '2200 Yonge St, Suite 900, Toronto, ON M4S 2C6',
  '58 Collins Street, Melbourne VIC 3000',
  '14B Marine Drive, Mumbai 400020',
  '3-2-1 Nishi-Shinjuku, Shinjuku-ku, Tokyo 160-0023',
  '1200 N Lake Shore Dr\nUnit 1704\nChicago, IL 60610',
  '5 Elm Ct.',
  '31 West 52nd Street',
  '4417 Pinehurst Blvd',
  '620 County Road 12, Salina, KS 67401',
  '89 Queen Victoria Street',
  '12 Rosewood Terrace, Dunedin 9016, New Zealand',
  'Bahnhofstrasse 10, 8001 Zürich',
];

/** {P} person, {F} first name, {L} surname, {A} address; {G} town, {X} thing, {O} firm, {N} number. */
const WITH_VALUES: readonly string[] = [
  'Please draft an apology to {P}, whose parcel we lost.',
  'good afternoon, {P} speaking, i would like to cancel my plan',
  'Could somebody ring {F} back before noon? {F} sounded upset.',
  'Escalated by {P} (tier 2) after {P} complained twice.',
  'The lease names {P} and {P} as joint tenants.',
  'my colleague {F} thinks {X} is slower than {X}',
  'Reply to this thread:\n\n{F}, the figures look fine to me.\n\nRegards,\n{F}',
  'Hallo {F},\nkannst du bitte {P} anrufen?\nViele Grüße\n{F}',
  'Chère {F},\nnous avons bien reçu le dossier de {P}.',
  'Hola {F}, ¿puedes hablar con {P}?',
  '{"employee": {"displayName": "{P}", "site": "{G}"}}',
  '{"patientName":"{P}","ward":"{N}B"}',
  'id;holder;town\n{N};{P};{G}\n{N};{P};{G}',
  'full_name={P}&plan=basic',
  '- owner: {P}\n  region: {G}',
  'INFO checkout completed for {P} in {N} ms',
  'Dr {L} prescribed {N} mg and asked me to return in a week.',
  'Ms. {L} will chair, Mr. {L} takes the minutes.',
  'According to Professor {L}, {X} was never widely used in {G}.',
  'Rewrite this reference so that {P} sounds more senior.',
  "Translate {F}'s message into French.",
  'I argued with {F} and now {F} will not answer my calls.',
  'We interviewed {P} for the role in {G}; {F} did well.',
  'Seating: {F} next to {F}, {P} opposite.',
  'Passenger {P}, seat {N}C, connecting in {G}',
  'The claimant ({P}) alleges that {O} ignored her.',
  'Has {P} signed the NDA with {O} yet?',
  'i am {P} and i forgot my password',
  'MY NAME IS {P} AND I WANT A REFUND',
  'ATTENTION: {P} MUST CALL THE WARD',
  'hi this is {F} from apartment {N}',
  "it's me, {F}",
  '{P} here. Any news on ticket {N}?',
  'Thanks a lot\n{P}\nHead of Operations, {O}',
  'Sent by {P} via {O}',
  'Minutes approved: {L}, {L}, {L}',
  'Prepared for: {P}\nPrepared by: {P}',
  'Beneficiary\n{P}\n{A}',
  'Where should the replacement go? To {A}, please.',
  'The accident happened outside {A}.',
  'We just bought a place at {A}.',
  'Current residence: {A}',
  '{"shipTo":{"name":"{P}","line":"{A}"}}',
  'Courier note: leave with neighbour, {A}',
  'My mother still lives at {A}, alone.',
  'Please verify that {A} is a valid delivery location.',
  'Invoice to:\n{O}\n{A}',
  'Landlord: {P}, {A}',
  'plan a route from {A} to {A}',
  'residence "{A}", occupant "{P}"',
  'Emergency at {A}! Hurry!',
  '{P} relocated from {G} to {A} in the spring.',
  'Change the drop-off point: {A} (ring twice).',
];

const WITHOUT: readonly string[] = [
  'Explain how {X} differs from {X} with {N} examples.',
  'Our {O} account manager never replies.',
  '{O} opened an office in {G}.',
  'Flights to {G} are cheap in {X}.',
  'The {G} post office closes at {N}.',
  'Why does {X} throw error {N} on start?',
  'Deploy {X} to the {G} region on {X}.',
  'Is {G} worth a visit in {X}?',
  'Read chapter {N} of the {X} manual.',
  'class JordanRiver extends AbstractStream { rename(Baker baker) {} }',
  'const markAsRead = (grace, will) => will.mark(grace);',
  'SELECT name, address FROM customers WHERE id = {N};',
  'name: build-and-test\non: push',
  '"name": "left-pad", "version": "1.{N}.0"',
  'Subject: Your {O} invoice {N}',
  'Dear Customer Service Team,',
  'To whom it may concern,',
  'Good Morning! Please Read The Terms And Conditions.',
  '# Getting Started\n\n## Quick Installation Guide',
  'The May Day parade was on a Monday.',
  'Will the new grant cover {N} students?',
  'I have faith that hope and grace will win.',
  'The baker and the smith met at the mill.',
  'mark the rose bed and bill the client',
  'A penny for your thoughts, said the hunter to the fisher.',
  'Add {N} ml of water, {N} g of flour and {N} eggs.',
  'Highway {N} is closed between {G} and {G}.',
  'We drove {N} miles down the road and turned left at the court.',
  'There are {N} Main Street shops in the study.',
  'Order {N} ships in {N} days.',
  'The {X} conference in {G} starts on {N} May.',
  'IMPORTANT NOTICE: ALL SERVICES WILL CLOSE EARLY',
  'the court will rule on drive {N} of the array',
  'Unit {N} tests failed, {N} passed.',
  'Floor {N} has {N} rooms.',
  'Windows {N} and Office {N} are supported.',
  'Boeing {N} and Airbus A{N} fleets',
  'translate "good evening" into {X} and {X}',
  'What is the tallest building in {G}?',
  'My address is not shown on the profile page.',
  'Enter your full name and street address below.',
  'the name field must not be empty',
  'Hello there! How may I help you today?',
  'Kind regards,\nThe Support Team',
  '{O} vs {O}: which is better?',
  'Visit the Lincoln Memorial and the Eiffel Tower.',
  'The Treaty of {G} was signed in {N}.',
  'In {X}, lists are mutable.',
  'Track {N}: Summer Rain (Remastered)',
  'Table {N}. Mean age by region',
];

const SLOT = /\{([A-Z])\}/g;

function filler(slot: string, { pick, below }: SeededRandom): readonly [value: string, type: string | null] {
  switch (slot) {
    case 'P':
      return [pick(PEOPLE), 'PERSON'];
    case 'F':
      return [pick(FIRST), 'PERSON'];
    case 'L':
      return [pick(LAST), 'PERSON'];
    case 'A':
      return [pick(ADDRESSES), 'ADDRESS'];
    case 'G':
      return [pick(TOWNS), null];
    case 'X':
      return [pick(THINGS), null];
    case 'O':
      return [pick(FIRMS), null];
    default:
      return [String(1 + below(900)), null];
  }
}

function filled(layout: string, random: SeededRandom): LabelledText {
  const allLower = layout === layout.toLowerCase().replaceAll(SLOT, (slot) => slot.toUpperCase());
  const inCase = (value: string): string => {
    const other = layout === layout.toUpperCase() ? value.toUpperCase() : value.toLowerCase();
    const changes =
      layout === layout.toUpperCase() || (allLower && /^[a-z]/.test(layout) && random.below(2) === 0);
    return changes && other.length === value.length ? other : value;
  };
  const spans: LabelledSpan[] = [];
  let text = '';
  let from = 0;
  for (const match of layout.matchAll(SLOT)) {
    const [value, type] = filler(match[1]!, random);
    text += layout.slice(from, match.index);
    const written = inCase(value);
    if (type !== null) spans.push({ type, start: text.length, end: text.length + written.length });
    text += written;
    from = match.index + match[0].length;
  }
  return { text: text + layout.slice(from), spans };
}

const SEED = 4_711;

/** Names and addresses in layouts that the tagger was not trained on, and texts without any that look alike. */
export function namesSet(times = 12): readonly LabelledText[] {
  const random = seededRandom(SEED);
  return Array.from({ length: times }, () =>
    [...WITH_VALUES, ...WITHOUT].map((layout) => filled(layout, random)),
  ).flat();
}
