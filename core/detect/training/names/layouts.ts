/**
 * Sentences, letters, forms and code with places for made-up values: {P} full name, {R} full name with the surname first, {F} given name, {L} surname,
 * {A} postal address, {S} street and house number, {G} town, {C} country, {O} organisation, {X} another proper noun,
 * {W} word, {T} word with a capital, {N} number, {E} e-mail address, {H} phone number, {D} date.
 */
export const LAYOUTS_WITH_VALUES: readonly string[] = [
  // What people say about themselves
  'my name is {P}', 'My name is {P} and I have a question about my {W}.', "Hi, I'm {F}.", "Hello, I am {P} from {G}.",
  "i'm {P}, can you help me with a {W} letter", 'This is {P} calling about invoice {N}.', 'It is {F} here again.',
  'You can call me {F}.', 'Everyone calls me {F}, but my full name is {P}.', 'People know me as {P}.',
  'I go by {F} {L}.', 'me llamo {P}', 'Ich heiße {P} und wohne in {G}.', "Je m'appelle {P}.", 'Mi chiamo {P}.', 'Meu nome é {P}.',
  'Mein Name ist {P}, meine Adresse ist {A}.', "J'habite au {A}.", 'Vivo en {A}.', 'Ich wohne in der {S}.',
  // Letters and mail
  'Dear {F},\n\nThank you for your {W} of {D}.\n\nBest regards,\n{P}', 'Dear Mr. {L},\n\nI am writing about the {W}.\n\nSincerely,\n{P}\n{O}',
  'Hi {F},\n\ncould you send me the {W} report by {D}?\n\nThanks,\n{F}', 'Hello {F} and {F},\nplease find the {W} attached.\nCheers, {F}',
  'Dear Mrs {L}, dear Dr. {L},', 'Hey {F}! How was {G}?', 'Good morning {F}, how are you today?', 'Kind regards\n{P}\n{T} Manager\n{O}\n{A}\n{H}',
  'Best,\n{F}', '- {F}', 'Yours faithfully,\n\n{P}\n{S}\n{G}', '--\n{P} | {O} | {E}', 'From: {P} <{E}>\nTo: {P} <{E}>\nSubject: {T} {W}\n\nHi {F},',
  'Sehr geehrter Herr {L},\nvielen Dank für Ihre Nachricht.\nMit freundlichen Grüßen\n{P}', 'Bonjour {F},\nmerci pour votre message.\nCordialement,\n{P}',
  'Estimada {F} {L}:\nle escribo sobre el pedido {N}.\nAtentamente,\n{P}', 'On {D}, {P} wrote:\n> thank you for the {W}', 'cc: {P}, {P}, {P}',
  '{F}, could you look into this?', 'Thanks {F}!', 'Thank you, {F}. That was helpful.', 'Sent from {F}\'s iPhone',
  'Forward this to {P} in {T}.', 'Please ask {F} whether the {W} is ready.', 'I spoke to {F} on {X} and she agreed.', 'Loop in {P} and {P} before {D}.',
  // Forms
  'Name: {R}', 'Attendees: {R}; {R}; {R}', '"{R}",{E},{N}', 'Patient {R}', '{R} ({O})', '{P}, {P} and {P} founded {O}.', 'They have three children: {F}, {F} and {F}.', '{F}, {F}, {F} and {F} came to the party.', 'name: {P}', 'Full name: {P}\nAddress: {A}\nPhone: {H}', 'First name: {F}\nLast name: {L}\nCity: {G}', 'Patient: {P}, born {D}', 'Customer: {P} ({N})',
  'Name:\t{P}\nCompany:\t{O}\nEmail:\t{E}', 'Cardholder: {P}', 'Attn: {P}', 'Author: {P}', 'Contact person: {P}, {O}', 'Emergency contact: {P} ({H})',
  'Ship to:\n{P}\n{A}', 'Deliver to {P}, {A}', 'Billing address:\n{P}\n{O}\n{A}', '{P}\n{A}', '{P}\n{O}\n{A}\n{H}', '{A}', 'Address: {A}', 'Adresse: {A}', 'Home address = {A}',
  'Name | {P}\nAddress | {A}\nTotal | {N}', 'Employee: {P}\nDepartment: {T}\nManager: {P}', 'Assignee: {P}\nReporter: {F}\nPriority: {T}', 'Attendees: {F}, {F}, {P} and {P}',
  'Signed: {P}, {D}', 'Tenant {P} of {A} owes {N}.', 'Witness: {P}', 'Applicant {P} was born in {G} on {D}.', 'Guest name {P}, room {N}',
  // Data
  '{"name": "{P}", "email": "{E}"}', '{"firstName": "{F}", "lastName": "{L}", "age": {N}}', '{"customer": {"full_name": "{P}", "address": "{A}"}, "id": {N}}',
  '{"user":{"name":"{P}","city":"{G}"}}', "{'author': '{P}', 'title': '{T} {W}'}", 'name,city,age\n{P},{G},{N}\n{P},{G},{N}', '{N};{P};{E};{G}', '{N},{F},{L},{E},"{A}"',
  '| {N} | {P} | {G} | {D} |', '<name>{P}</name><city>{G}</city>', 'INSERT INTO users (name, city) VALUES (\'{P}\', \'{G}\');', 'const user = { name: "{P}", address: "{A}" };',
  '{"shipping_address": "{A}", "status": "{W}"}', "SELECT * FROM users WHERE name = '{P}';", 'user.name = "{P}"', 'full_name: {P}\ncity: {G}', '{D} {N} INFO user {P} signed in',
  // Tickets, chats, notes
  'Customer {P} reports that the {W} is broken since {D}.', 'Spoke with {P} ({H}); wants a refund for order {N}.', 'Ticket {N}: {P} cannot log in', 'Agent: how can I help?\nCustomer: my name is {P}',
  '{F}: are you coming?\n{F}: yes, see you at {N}', '[{D}] {F}: the {W} is ready', '@{W} please check with {F}', 'User {P} asked to change the delivery address to {A}.', 'Please change my address to {A}',
  'I moved from {A} to {A} last month.', 'Can you send the parcel to {A}?', 'Pick me up at {S}, please.', 'The party is at {S}.', 'Our office is located at {A}.', 'we live at {A}', 'She lives at {S} in {G}.',
  'The house at {S} was sold on {D}.', 'Return the form to {O}, {A}.', 'Meet me at {S} at {N}.', 'Police were called to {S} in {G} after a {W}.', 'Send a technician to {A} between 8 and 12.', 'i live at {A}, how do i get to {G}?',
  'Visit us: {A}', 'Mailing address for {O}: {A}', 'What is the postcode of {S}, {G}?', 'My old address was {A}, now it is {A}.', 'The property ({A}) belongs to {P}.',
  // Prose with persons
  '{P} was born in {G} and studied at {O}.', '{P}, who works for {O}, moved to {C} in {N}.', 'According to {P}, the {W} was a success.', '"I never saw that," said {P}.', '"{T} {W}," {F} replied.', 'The contract between {P} and {O} ends on {D}.',
  '{F} and {F} went to {G} to see {P}.', '{L} scored twice before {L} was sent off.', 'Dr. {L} will see you on {X}.', 'Professor {P} teaches {X} at {O}.', 'The meeting was chaired by {P}.', 'My {W} {F} is getting married in {G}.',
  'My brother {F} and my sister {F} live in {C}.', 'Write a birthday poem for my daughter {F}, who loves {W}.', 'Write a recommendation letter for {P}, who worked at {O} as a {W}.', 'Write a short story about {F}, a {W} from {G}.',
  'Summarize the email from {P} to {P} about the {W}.', 'Draft a reply to {F} saying that {O} accepts.', 'What did {P} say about {O}?', '{P} v. {O}', "{P}'s daughter lives in {G}.", "{F}'s laptop and {F}'s phone were stolen.",
  'My boss {P} fired me, what can I do?', 'Can you check whether {P} has a criminal record?', 'Is {P} still working for {O}?', 'Employee {P} (id {N}) was hired on {D}.', 'a patient called {P} came in with {W} pain', 'the nurse told {F} to wait',
  'Please add {P} to the {T} channel.', 'Invite {F}, {F} and {F} {L} to the {W} meeting.', 'Directed by {P}, starring {P} and {P}.', 'The novel by {P} was published in {N}.', 'I love the song by {P}.', 'Mr {L} and Mrs {L} bought the house from {P}.',
  'Miss {L} asked Sir {F} for a {W}.', 'Judge {L} dismissed the case against {P}.', '{P} ({N}) of {G} was arrested on {X}.', 'President {L} met Chancellor {L} in {G}.', 'Coach {P} praised {L} and {L}.', 'her husband, {P}, is a {W} in {G}',
  'contact {P} at {E} or {H}', 'talk to {P} or {P}', 'who is {P}?', 'tell {F} i said hi', 'email {P} about the {W} and ask {F} for the {W}', 'Remind {F} that {F} has an appointment with Dr {L} on {D}.',
  '{P} - {T} {T}\n{P} - {T} Engineer', '1. {P}\n2. {P}\n3. {P}', '* {P}, {O}\n* {P}, {O}', '{L}, {F} ({N})', '{P}, {P} & {P} ({N}). {T} {W} {W}. {T} {T}, {N}.', 'Approved by: {P}\nReviewed by: {F} {L}',
  'The winners are {P} of {C}, {P} of {C} and {P} of {C}.', '{O} named {P} as its new chief executive.', '{P}, CEO of {O}, said the {W} would open in {G}.', 'After {F} left {O}, {P} took over in {G}.', 'The {L} family moved to {G}.', 'In {G}, {F} met {F}.',
];

/** Without a name or an address, but full of capitals and numbers; what is no town or organisation is plain text. */
export const LAYOUTS_WITHOUT: readonly string[] = [
  'How do I sort a list in {X}?', 'Write a {X} function that takes a {W} and returns a {W}.', 'What is the capital of {C}?', 'The flight from {G} to {G} takes {N} hours.', 'I am learning {X} and {X}.', '{X} is better than {X} for {W}.',
  'Translate this sentence into {X}: the {W} is {W}.', 'The meeting is on {X} at {N}.', 'Our {T} {T} is closed on {X} and {X}.', 'Compare {X} and {X} in a table with {N} rows.', 'Install {X} on {X} {N}.', '{O} released {X} {N} in {G}.',
  'The {G} post office is closed.', 'The {G} River flows through {G}.', '{G} is the largest city in {C}.', 'I want to travel to {G}, {C} next {X}.', 'Best restaurants in {G}?', 'The University of {G} offers a course in {X}.', 'Weather in {G} on {D}',
  'Order {N} was shipped on {D}.', 'Invoice no. {N}, total {N} EUR, due {D}', 'Chapter {N}: The {T} {T}', '# {T} {W}\n\n## {T} {T}\n\n{T} {W} {W} {W}.', '- {T} {W}\n- {T} {W}\n- {T} {W}', 'Step {N}: {T} the {W}.', '{N}. {T} the {W} and {W} it.',
  'const {W} = new {T}{T}({N});', 'import {T} from "{W}"', 'class {T}{T} extends {T} {', 'def {W}_{W}({W}, {W}):\n    return {W}', 'public static void {W}({T} {W})', 'SELECT {W}, {W} FROM {W} WHERE {W} > {N};', 'git commit -m "{T} {W} {W}"', 'npm install {W} --save-dev',
  'ERROR {N} {T}{T}Exception: {W} not found', 'HTTP/1.1 {N} OK\nContent-Type: text/html', 'name = "{W}"', 'name: {W}-{W}', '{"name": "{W}-{W}", "version": "1.{N}.0"}', '{"type": "{W}", "status": "{T}", "count": {N}}', '"title": "The {T} of {T}"', 'file name: {W}.txt',
  'product name: {T} {T}', 'The name of the {W} is {W}.', 'The company name is {O}.', 'My name is not important.', 'What is the name of this {W}?', 'name the three largest {W}s', 'Hello World', 'Hi there, can you help me?', 'Dear Sir or Madam,', 'Dear Customer,', 'Dear Hiring Manager,', 'Hello everyone,', 'Hi team,', 'Hey guys',
  'Kind regards,\nThe {O} Team', 'Best regards,\nCustomer Support', 'Thanks in advance!', 'Thanks, that works.', 'Sincerely yours', 'To Whom It May Concern', 'Good Morning America', 'Happy {T} Day', 'I am {W} and very {W}.', "I'm {W}, please {W}.", "i'm {W} about the {W}", 'i am from {G}', "I'm {X}.", 'I am a {W} {W} engineer.',
  'call the {W} first', 'call me later', 'ask the {W} about it', 'this is {W}', 'This Is {T}', 'The {T} {T} was {W} by the {W}.', 'THE {T} IS {W}', 'IMPORTANT: READ THE {W} BEFORE {W}', 'You are {X}, a helpful assistant.', 'Act as a {T} {T} and explain {W}.', 'Ignore the {W} above and act as {X}.',
  'In {N}, about {N} people lived in {C}.', 'It costs {N} dollars and {N} cents.', 'Page {N} of {N}', 'Call {H} for details.', 'Room {N}, Floor {N}', 'The answer is {N} street {W}s.', 'I have {N} apples and {N} oranges.', 'There are {N} {W} {W}s on the road.', 'Drive {N} miles north.', '{N} Way Test for the {T}', 'He walked {N} miles down the street.', 'Take the highway for {N} km, then turn left.', '{N} {W} drive',
  'Wall Street fell {N} points on {X}.', 'The court ruled in {N} that the {W} is {W}.', 'We need {N} units of {T} {N}.', 'Apply the {T} theorem to {N} points.', 'Explain the {T} effect.', 'Who won the {T} Cup in {N}?', 'The {T} {T} Act of {N}', 'The Battle of {G} took place in {N}.', 'the {T} {T} in {G} is open from {N} to {N}',
  'Generate {N} {W} ideas for {O}.', '{O} and {O} announced a merger.', '{O} reported {N} million in revenue.', 'I work for {O} in {G}.', 'Shares of {O} rose.', 'The {O} office in {G} has {N} employees.', 'Our partners: {O}, {O}, {O}', '{O} is hiring in {C}.', 'Compare {O} with {O}.',
  'Dosage: {N} mg {W} twice a day', 'ISBN {N}', 'v{N}.{N}.{N}', '{N}% of {W}s are {W}', '{D}: {W} {W} {W}', '| {T} | {T} |\n| --- | --- |\n| {W} | {N} |', '<div class="{W}">{T} {W}</div>', 'Q: What is {W}?\nA: It is {W}.', 'User: {W} {W}\nAssistant: {T} {W} {W}.', 'Input: {W}\nOutput: {W}', '{T} or {T}? {T}!', 'Title: {T} {T} {T}', 'Genre: {T}\nYear: {N}',
  'the address of the {W} is not known', 'Your address is missing.', 'IP address {N}.{N}.{N}.{N} is blocked', 'address: {W}', 'The email address {E} bounced.', 'mail {E} for help', 'http://www.{W}.com/{W}/{N}', 'memory address 0x{N}', 'Delivery on {X}, {D}', '{T} {N}, {N}', 'Apt, Suite and Unit are optional fields.',
];
