/** Where a label and its value stand. `{l}` the label, `{v}` the value, `{key}`, `{camel}`: the label as a name in code. */
export const TUNED_LAYOUTS: readonly string[] = [
  '{l}: {v}',
  'My {l} is {v}.',
  'Please update the {l} on file to {v} before Friday.',
  '{"{key}": "{v}", "status": "active"}',
  'Customer said: "my {l} is {v}, can you check?"',
  '- {l}: {v}\n- Notes: none\n',
  'Name,{l},City\nJo Ann,{v},Leeds\n',
  'I have attached the {l} ({v}) for the file.',
  '{v} is my {l}.',
  '**{l}:** {v}',
  '{l}\n{v}\n',
  '<{key}>{v}</{key}>',
  '{key}={v}',
];

/** Not looked at before the score was taken. */
export const HELD_LAYOUTS: readonly string[] = [
  'The {l} you asked for: {v}',
  'Could you confirm whether {l} {v} is right?',
  '{l} = {v};',
  '| {l} | {v} |\n',
  '| Name | {l} |\n|---|---|\n| Ann Lee | {v} |\n',
  "record.{camel} = '{v}'",
  'Hi team, new hire here. {l} - {v}. Thanks!',
  'Form 7\n  {l} ........ {v}\n',
  '2026-02-14 10:22:31 INFO saved {key}={v} for user 12',
  'Q: What is your {l}?\nA: {v}',
  'Her {l} was recorded as {v} yesterday.',
  'id;name;{l}\n1;Kim;{v}\n',
  'You can use {v} as the {l}.',
  '{v} ({l})',
  'Subject: {l} {v}\n\nHello,\nplease see above.',
  'Write a polite letter to Mr. Adler that mentions his {l}, {v}, and asks for a reply.',
  'const profile = { {camel}: "{v}", active: true };',
  'They gave us the following: name Ada Quist, {l} {v}, city Bern.',
];
