/** Embeds a text in another one, as programs do. The result contains the text exactly once. */
export type Wrapping = (text: string) => string;

const json = (text: string): string => JSON.stringify(text);
const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');
const ascii = (text: string): string =>
  json(text).replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${hex(unit, 4)}`);
const cautious = (text: string): string =>
  ascii(text)
    .replaceAll('/', '\\/')
    .replaceAll(/[@&<>]/g, (mark) => `\\u${hex(mark, 4)}`);
const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
const inApostrophes = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const python = (text: string): string =>
  `'${json(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`.replaceAll(
    /[\u0080-\u00ff]/g,
    (letter) => `\\x${hex(letter, 2)}`,
  );
const url = encodeURIComponent;
const form = (text: string): string => url(text).replaceAll('%20', '+');

/** Wrappings whose results are JSON. */
export const JSON_WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  'a JSON string': json,
  'a JSON string in a JSON string': (text) => json(json(text)),
  'a list of messages': (text) => JSON.stringify([{ role: 'user', content: text }]),
  'indented JSON': (text) => JSON.stringify({ n: [1, 2.5, null, true], content: text }, null, 2),
  'JSON in JSON': (text) =>
    JSON.stringify({ id: 7, body: JSON.stringify({ messages: [{ content: text }] }) }),
  'ASCII of JSON': (text) => `{"a": ${ascii(text)}}`,
  'JSON with all marks escaped': (text) => `{"a": ${cautious(text)}}`,
  'JSON with all marks escaped, in JSON': (text) => JSON.stringify({ a: `{"b": ${cautious(text)}}` }),
  'JSON with line ends of Windows': (text) => JSON.stringify({ a: text.replaceAll('\n', '\r\n') }),
  'a quotation in JSON': (text) => JSON.stringify({ a: `It said "${text}" and left` }),
  'HTML in JSON': (text) => JSON.stringify({ html: `<p>${html(text)}</p>` }),
};

/** Other wrappings. */
export const OTHER_WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  'JSON that was cut off': (text) => JSON.stringify([{ content: `${text}\nmore text follows` }]).slice(0, -7),
  'lines of JSON': (text) => `${JSON.stringify({ a: 1 })}\n${JSON.stringify({ message: text })}\n`,
  'JSON in a log line': (text) =>
    `10:00:00 INFO request body=${JSON.stringify({ message: text })} status=200`,
  'a Python dictionary': (text) => `{'role': 'user', 'content': ${python(text)}}`,
  'a JavaScript object': (text) => `const data = { role: 'user', content: ${json(text)} };`,
  'a URL': (text) => `https://app.example/find?q=${url(text)}&page=2`,
  'a URL in a URL': (text) => `GET /r?next=${url(`https://a.example/?q=${url(text)}`)} HTTP/1.1`,
  'a form': (text) => `id=7&text=${form(text)}&go=yes`,
  HTML: (text) => `<p class="x">${html(text)}</p>`,
  'HTML with numbers for characters': (text) =>
    `<td>${html(text).replaceAll(/[@\u0080-\uffff]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</td>`,
  'HTML with hexadecimal numbers': (text) =>
    `<td>${html(text).replaceAll(/[@\-.\u0080-\uffff]/g, (mark) => `&#x${hex(mark, 2)};`)}</td>`,
  'HTML with blanks that do not break': (text) => `<td>${html(text).replaceAll(' ', '&nbsp;')}</td>`,
  'HTML, escaped twice': (text) => `<td>${html(html(text))}</td>`,
  'YAML in quotes': (text) => `- role: user\n  content: ${json(text)}\n`,
  'YAML in apostrophes': (text) => `content: '${text.replaceAll("'", "''")}'\n`,
  'a block of YAML': (text) => `content: |\n  ${text.replaceAll('\n', '\n  ')}\n`,
  'apostrophes of a shell': (text) => `curl -d ${inApostrophes(text)} https://a.example`,
  'quotes of a shell': (text) => `echo "${text.replaceAll(/["$`\\]/g, '\\$&')}"`,
  'escapes of a shell': (text) => `printf $'${json(text).slice(1, -1).replaceAll("'", "\\'")}'`,
  'JSON in a shell': (text) => `curl -d ${inApostrophes(JSON.stringify({ a: text }))} https://a.example`,
  'escaped Markdown': (text) => text.replaceAll(/[_*\-.#@+()[\]!|]/g, '\\$&'),
  'bold Markdown': (text) => `**${text}**`,
  'a row of CSV': (text) => `id,text,n\n1,"${text.replaceAll('"', '""')}",3\n`,
};
