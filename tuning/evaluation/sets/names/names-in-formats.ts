import { seededRandom } from '../../../samples/random.ts';
import { entriesOf, filled, type LabelledText } from './name-layouts.ts';

const PEOPLE =
  entriesOf(`Ottilie Brackenridge, Samir Benhaddou, Ines Caldeira, Jonas Rehberg, Agnieszka Domańska, Femi Adebayo, Lucía Torrealba,
  Pieter-Jan Verstraete, Moira O'Shea, Kenji Watanabe, Thu Trang Le, April Hastings, May Lindqvist, Jan Hrubý, Milica Jovanović,
  Rasmus Toft, Camille Rousselot, Vittoria Zanetti, Eszter Halmos, Gareth Llewellyn, Noura El Khatib, Paulo Teixeira, Anneliese Kruse`);
const FIRST = entriesOf(
  'Ottilie, Samir, Ines, Jonas, Agnieszka, Lucía, Moira, Kenji, April, May, Camille, Eszter, Gareth, Noura, Paulo, Anneliese',
);
const LAST = entriesOf(
  'Brackenridge, Caldeira, Rehberg, Torrealba, Verstraete, Watanabe, Hastings, Lindqvist, Rousselot, Zanetti, Halmos, Llewellyn, Teixeira, Kruse',
);
const PRODUCTS = entriesOf(
  'GitHub Actions, Azure DevOps, Elastic Agent, Kafka Connect, Spring Cloud Gateway, Android Studio, Redis Sentinel, Jupyter Lab, Argo Workflows, Maven Central, Sonar Scanner, Bitbucket Pipelines, Eclipse Mosquitto, Oracle Linux, Docker Swarm',
);
const DAYS = entriesOf(
  'Mon, Tue, Wed, Thu, Fri, Sat, Sun, Tuesday, Thursday, Dienstag, jeudi, martes, Freitag, Sept, Nov, December',
);

/** {X} is a day or a month, {O} a product. */
const WITH_VALUES: readonly string[] = [
  'Date: {X}, 09 Feb 2027 08:12:44 GMT\nFrom: {P} <a@example.org>\nSubject: Minutes',
  'commit 9f8e7d6\nAuthor: {P} <a@example.org>\nDate:   {X} Feb 9 08:12:44 2027 +0100\n\n    Bump {O}',
  'Co-authored-by: {P} <a@example.org>\nSigned-off-by: {P} <b@example.org>',
  '2027-02-09 08:12:44,120 INFO [http-8] c.a.audit.LoginFilter - session opened for {P}',
  '{"level":"warn","ts":1738,"caller":"api/login.go:81","user":"{P}","msg":"Too many attempts"}',
  '{"id":12,"first_name":"{F}","last_name":"{L}","plan":"Premium","day":"{X}"}',
  'first_name: {F}\nlast_name: {L}\nstate: Active',
  'id;last_name;first_name;plan\n4;{L};{F};Premium',
  '| # | Owner | State |\n|---|---|---|\n| 7 | {P} | Closed |',
  "insert into staff (first_name, last_name) values ('{F}', '{L}');",
  'the parcel for {P} was handed over on {X}',
  '{X} 14:00 interview with {P} about {O}',
  'applicant: {P}\nrole: {O} engineer',
];
const IN_CAPITALS: readonly string[] = [
  'THE UNDERSIGNED {P} AGREES TO THE TERMS',
  'INSURED: {P}  POLICY: 4471',
  'DELIVERED TO {P} ON MONDAY',
];
const WITHOUT: readonly string[] = [
  'Date: {X}, 09 Feb 2027 08:12:44 GMT\nServer: Apache\nContent-Type: text/html\nConnection: Keep-Alive',
  'Last-Modified: {X}, 09 Feb 2027 08:12:44 GMT\nETag: "5e1"\nVary: Accept-Encoding',
  '{X} Feb  9 08:12:44 2027 [notice] Graceful restart requested, doing restart',
  '{O} reports a failed deployment since {X}.',
  'Please restart {O} and {O}.',
  '2027-02-09 08:12:44.120 ERROR 91 --- [nio-8080-exec-3] o.a.c.c.C.[.[.[/].[dispatcherServlet] : Servlet.service() threw',
  'Feb  9 08:12:44 edge02 systemd[1]: Starting Daily Cleanup of Temporary Directories...',
  '[{X}] Build Queue is empty, Agent Pool: Default',
  'Open {O}, choose Project Settings and press Apply Changes.',
  'closed on {X} and {X}',
  '| {X} | {X} |\n|---|---|\n| 8 | 9 |',
  'Unhandled Rejection: TypeError in Checkout Flow',
  'Der Bericht liegt am {X} vor, die Abnahme folgt.',
  'Uwaga: Termin dostawy to {X}.',
  'Merci de renvoyer le formulaire avant {X}.',
  'Owner: Platform Team\nEnvironment: Staging\nSeverity: Minor',
];

const SEED = 90_211;

/** Persons in logs, headers, data and forms, and the same formats without any: not used for training. */
export function namesInFormats(times = 8): readonly LabelledText[] {
  const random = seededRandom(SEED);
  const fillings = {
    people: PEOPLE,
    given: FIRST,
    surnames: LAST,
    addresses: [],
    towns: [],
    things: DAYS,
    firms: PRODUCTS,
  };
  return Array.from({ length: times }, () =>
    [...WITH_VALUES, ...IN_CAPITALS, ...WITHOUT].map((layout) => filled(layout, fillings, random)),
  ).flat();
}
