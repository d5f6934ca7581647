import { createHash } from 'node:crypto';
import { describe, expect, test } from '#jest';
import { blanked, type Medium, mediaIn, referenceTo, textMayHoldMedia } from './find-media.ts';

const SAMPLE_BYTES = 3_000;
/** Random-looking bytes, the same on every run. */
function noise(length: number, seed = 'noise'): Buffer {
  const blocks: Buffer[] = [];
  for (let n = 0; n * 32 < length; n += 1) blocks.push(createHash('sha256').update(`${seed}${n}`).digest());
  return Buffer.concat(blocks).subarray(0, length);
}
const png = (length = SAMPLE_BYTES): Buffer =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), noise(length)]);
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function found(text: string): Medium[] {
  const steps = mediaIn(text);
  for (;;) {
    const step = steps.next();
    if (step.done) {
      if (step.value.length > 0) expect(textMayHoldMedia(text)).toBe(true);
      return step.value;
    }
  }
}
/** The text with media replaced by references. */
function replaced(text: string): string {
  let at = 0;
  let rest = '';
  for (const medium of found(text)) {
    rest += text.slice(at, medium.start) + referenceTo(medium);
    at = medium.end;
  }
  return rest + text.slice(at);
}

const PICTURE = png();
const BASE64 = PICTURE.toString('base64');
const URI = `data:image/png;base64,${BASE64}`;
const REFERENCE = `[image/png; bytes=${PICTURE.length}; sha256:${sha256(PICTURE)}]`;

describe('finds an image, with its type, size and digest', () => {
  test.each([
    ['as a data URI', URI, REFERENCE],
    ['in Markdown', `Look: ![a chart](${URI}) and then.`, `Look: ![a chart](${REFERENCE}) and then.`],
    ['in HTML', `<img alt="x" src="${URI}">`, `<img alt="x" src="${REFERENCE}">`],
    ['in CSS', `background: url('${URI}')`, `background: url('${REFERENCE}')`],
    ['by itself', BASE64, REFERENCE],
    ['in JSON', `{"type":"image","data":"${BASE64}"}`, `{"type":"image","data":"${REFERENCE}"}`],
    ['in JSON within a text', `[{\\"data\\":\\"${BASE64}\\"}]`, `[{\\"data\\":\\"${REFERENCE}\\"}]`],
    ['after an escaped line end', `Here:\\n${BASE64}\\nDone`, `Here:\\n${REFERENCE}\\nDone`],
    ['with its slashes escaped', URI.replaceAll('/', '\\/'), REFERENCE],
    ['in the alphabet for URLs', PICTURE.toString('base64url'), REFERENCE],
    ['twice', `${URI} ${URI}`, `${REFERENCE} ${REFERENCE}`],
    ['with parameters', URI.replace(';base64', ';name=a.png;base64'), REFERENCE],
  ])('%s', (_, text, expected) => {
    expect(replaced(text)).toBe(expected);
  });

  test('anywhere in a text', () => {
    for (let before = 0; before < 130; before += 1)
      expect(replaced(`${'a '.repeat(before)}"${BASE64}" end`)).toBe(
        `${'a '.repeat(before)}"${REFERENCE}" end`,
      );
  });

  test.each([
    [
      'a small icon',
      'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
      'image/gif',
    ],
    ['one that was cut off', 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg...', 'image/png'],
    ['a sound of a declared type', `data:audio/pcm;base64,${noise(500).toString('base64')}`, 'audio/pcm'],
    [
      'a document',
      `data:application/pdf;base64,${Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj'), noise(400)]).toString('base64')}`,
      'application/pdf',
    ],
    [
      'a photo',
      Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), noise(400)]).toString('base64'),
      'image/jpeg',
    ],
    [
      'a sound',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), noise(400)]).toString('base64'),
      'audio/wav',
    ],
    ['an unknown large file', noise(64 * 1024).toString('base64'), 'application/octet-stream'],
  ])('also as %s', (_, text, type) => {
    expect(found(text)).toMatchObject([{ type, start: 0 }]);
  });
});

describe('leaves in place anything that has to be analysed', () => {
  const secret = 'password=correct-horse; card 4111 1111 1111 1111. '.repeat(20);
  test.each([
    ['text in a data URI', `data:text/plain;base64,${Buffer.from(secret).toString('base64')}`],
    ['text that is called a picture', `data:image/png;base64,${Buffer.from(secret).toString('base64')}`],
    [
      'text that is not Latin',
      `data:image/png;base64,${Buffer.from('Пароль от почты. '.repeat(9)).toString('base64')}`,
    ],
    ['text that begins like a picture', Buffer.from(`GIF89a${secret}`).toString('base64')],
    [
      'text that starts like a document',
      `data:application/pdf;base64,${Buffer.from(`%PDF-1.4\n${secret}`).toString('base64')}`,
    ],
    [
      'text after the first bytes of an image',
      Buffer.from(`\x89PNG\r\n\x1a\n${secret}`, 'latin1').toString('base64'),
    ],
    ['text in base64 alone', Buffer.from(secret).toString('base64')],
    [
      'a key in base64',
      Buffer.concat([Buffer.from('308204a40201000282010100', 'hex'), noise(1_180)]).toString('base64'),
    ],
    ['a key that is called a file', `data:application/octet-stream;base64,${noise(48).toString('base64')}`],
    ['hexadecimal digits', noise(40_000).toString('hex')],
    ['a list of numbers without separators', '4111111111111111'.repeat(5_000)],
    ['one character', 'x'.repeat(100_000)],
    ['a data URI without base64', 'data:text/plain,Hello%20jane@example.org'],
    ['nothing', 'data:image/png;base64,'],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

test('blanks replace an image without moving anything else', () => {
  const text = `Before ![x](${URI}) after`;
  const blank = blanked(text, found(text));
  expect(blank).toHaveLength(text.length);
  expect(blank.replace(/ +/g, ' ')).toBe('Before ![x]( ) after');
});

test('only a few characters of an ordinary text are read', () => {
  let reads = 0;
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(1_000);
  const seen = new Proxy(new String(text), {
    get: (target, name) =>
      name === 'charCodeAt'
        ? (at: number) => {
            reads += 1;
            return text.charCodeAt(at);
          }
        : name === 'includes'
          ? (part: string) => text.includes(part)
          : Reflect.get(target, name),
  });
  expect(textMayHoldMedia(seen as unknown as string)).toBe(false);
  expect(reads).toBeLessThan(text.length / 8);
});

describe.each([
  ['markers', 'data:image/png;base64,'],
  ['runs', `${'Ab0'.repeat(40)} `],
  ['slashes', '\\/'],
  ['headers', 'data:;;;;;;;;'],
  ['pictures', `${URI} `],
  ['letters', 'a'],
])('a text of %s', (_, repeated) => {
  test('is searched in steps that grow linearly with its length', () => {
    const steps = (times: number): number => {
      let count = 0;
      for (const __ of mediaIn(repeated.repeat(times))) count += 1;
      return count;
    };
    const times = Math.ceil(200_000 / repeated.length);
    expect(steps(4 * times)).toBeLessThanOrEqual(5 * steps(times) + 10);
  });
});

test('at most a thousand media are found, and any more stay', () => {
  const icon = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg== ';
  expect(found(icon.repeat(1_001))).toHaveLength(1_000);
});

test('only the first runs are read when there are far more than files', () => {
  const icon = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==';
  expect(found(`${';base64,a '.repeat(19_999)}${icon}`)).toHaveLength(1);
  expect(found(`${';base64,a '.repeat(20_000)}${icon}`)).toHaveLength(0);
});
