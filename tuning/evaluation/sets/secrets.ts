import { type SeededRandom, seededRandom } from '../../samples/random.ts';

/** A text with one secret, or with none. */
interface SecretCase {
  readonly kind: string;
  readonly text: string;
  /** The secret itself; null in a text without one. */
  readonly secret: string | null;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const BASE62 = LOWER + UPPER + DIGITS;
const BASE36 = LOWER + DIGITS;
const MARKS = '!@#$%^&*?';

type Make = (random: SeededRandom) => string;

/** Formats of keys of unknown issuers. */
const KEYS: readonly (readonly [string, Make])[] = [
  ['base62 with a prefix', (r) => `${r.string(LOWER, 2 + r.below(4))}_${r.string(BASE62, 24 + r.below(24))}`],
  [
    'base36 with two prefixes',
    (r) => `${r.string(LOWER, 3)}-${r.pick(['live', 'test', 'prod'])}-${r.string(BASE36, 28)}`,
  ],
  ['base62 bare', (r) => r.string(BASE62, 28 + r.below(16))],
  ['base36 bare', (r) => r.string(BASE36, 26 + r.below(14))],
  ['base64', (r) => `${r.string(`${BASE62}+/`, 42)}${r.pick(['=', '==', ''])}`],
  ['base64url', (r) => r.string(`${BASE62}_-`, 43)],
  ['parts with dots', (r) => `${r.string(BASE62, 8)}.${r.string(BASE62, 24)}.${r.string(BASE62, 27)}`],
  ['groups in capitals', (r) => Array.from({ length: 5 }, () => r.string(UPPER + DIGITS, 6)).join('-')],
  ['hexadecimal', (r) => r.string(HEX, r.pick([32, 40, 48, 64]))],
  ['UUID', (r) => [8, 4, 4, 4, 12].map((length) => r.string(HEX, length)).join('-')],
];

const VENDORS = ['acmepay', 'northwind', 'skylane', 'bluefin', 'kartograf', 'mailbird', 'orbitly', 'zephyr'];
const name = (r: SeededRandom): string =>
  r.pick(['API_KEY', 'SECRET_KEY', 'ACCESS_TOKEN', 'AUTH_TOKEN', 'CLIENT_SECRET', 'SIGNING_KEY', 'TOKEN']);

/** The context of a key. Keys that look like hashes and ids only occur with a cue. */
const WITH_CUE: readonly ((r: SeededRandom, key: string) => string)[] = [
  (r, key) => `${r.pick(VENDORS).toUpperCase()}_${name(r)}=${key}`,
  (r, key) => `# staging\nDEBUG=true\nexport ${r.pick(VENDORS).toUpperCase()}_${name(r)}="${key}"\nPORT=8080`,
  (r, key) => `{"service": "${r.pick(VENDORS)}", "${name(r).toLowerCase()}": "${key}", "retries": 3}`,
  (r, key) => `${r.pick(VENDORS)}:\n  ${name(r).toLowerCase()}: ${key}\n  region: eu-west-1`,
  (r, key) => `[${r.pick(VENDORS)}]\n${name(r).toLowerCase()} = "${key}"\ntimeout = 30`,
  (_r, key) => `Can you tell me why my API key ${key} gets a 401?`,
  (r, key) => `Hi team, the new ${r.pick(VENDORS)} token is ${key}, please rotate it next week.`,
  (r, key) => `const client = new ${r.pick(['Acme', 'Skylane'])}Client({ apiKey: '${key}', timeout: 1000 });`,
  (_r, key) => `curl -H "X-Api-Key: ${key}" https://api.example.com/v1/items`,
  (_r, key) => `GET https://api.example.com/v2/items?page=2&api_key=${key}`,
  (r, key) => `variable "token" {\n  default = "${key}"\n}\nresource "${r.pick(VENDORS)}_app" "main" {}`,
  (_r, key) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\nstringData:\n  token: ${key}`,
];
const WITHOUT_CUE: readonly ((r: SeededRandom, key: string) => string)[] = [
  (r, key) => `${r.pick(VENDORS)} = ${key}`,
  (_r, key) => `It still fails when I use ${key} in the header. Any idea?`,
  (r, key) => `client = connect("${r.pick(VENDORS)}", "${key}")`,
  (_r, key) => `this is what they sent me:\n\n${key}\n\nwhere do I put it?`,
  (r, key) => `2025-03-0${1 + r.below(9)} 12:00:01 INFO auth ok with ${key} from 10.0.0.7`,
];

const WORDS = [
  'orchid',
  'Falcon',
  'winter',
  'Coffee',
  'river',
  'Monkey',
  'purple',
  'Dragon',
  'sunset',
  'Guitar',
];
const PASSWORDS: readonly Make[] = [
  (r) => `${r.pick(WORDS)}${r.below(9000) + 1000}${r.pick([...MARKS])}`,
  (r) => `${r.string(BASE62, 7)}${r.pick([...MARKS])}${r.below(90) + 10}`,
  (r) => `${r.pick(WORDS)}-${r.pick(WORDS)}-${r.below(100)}x`,
  (r) => r.string(BASE62, 12),
  (r) => `${r.pick(WORDS)}${r.below(90) + 10}`,
];
const PASSWORD_PLACES: readonly ((r: SeededRandom, password: string) => string)[] = [
  (_r, p) => `my password is ${p}`,
  (_r, p) => `Hello, my login is jdoe and my password is ${p}. I cannot sign in.`,
  (_r, p) => `Username: jdoe\nPassword: ${p}\n\nPlease reset it.`,
  (_r, p) => `user: admin, pw: ${p}`,
  (_r, p) => `pass: ${p}`,
  (_r, p) => `The wifi password for the guests is ${p}`,
  (_r, p) => `postgresql://app:${p.replaceAll(/[@#/?]/g, '!')}@db.internal:5432/app`,
  (_r, p) => `mysql -u root --password=${p} -h db1`,
  (_r, p) => `Server=db1;Database=app;User Id=sa;Password=${p};Encrypt=true`,
  (_r, p) => `curl -u deploy:${p} https://ci.example.com/job/1`,
  (_r, p) => `db:\n  user: app\n  password: "${p}"`,
  (_r, p) => `{"user":"jdoe","password":"${p}"}`,
  (_r, p) => `CREATE USER app WITH PASSWORD '${p}';`,
  (_r, p) => `Mein Passwort lautet ${p}`,
  (_r, p) => `<property name="x"/><password>${p}</password>`,
  (_r, p) => `I changed the password to ${p} yesterday`,
];
const WORD_PASSWORDS = ['sunshine', 'butterfly', 'letmein', 'bluebell', 'marmalade', 'starlight'];
const WORD_PLACES: readonly ((password: string) => string)[] = [
  (p) => `my password is ${p}`,
  (p) => `Login: kim\nPassword: ${p}\n`,
  (p) => `{"password": "${p}"}`,
  (p) => `Our router's password is "${p}".`,
];

const SESSIONS: readonly ((r: SeededRandom, token: string) => string)[] = [
  (_r, t) => `Cookie: theme=dark; session=${t}; lang=en`,
  (_r, t) => `Set-Cookie: PHPSESSID=${t}; Path=/; HttpOnly`,
  (_r, t) => `Authorization: Bearer ${t}`,
  (_r, t) => `{"session_id": "${t}"}`,
  (_r, t) => `document.cookie = "connect.sid=${t}"`,
];

/** Values that look like keys, without a cue or with one for something else. */
const HARMLESS: readonly Make[] = [
  (r) => `commit ${r.string(HEX, 40)}\nAuthor: Jo <jo@example.com>`,
  (r) => `git checkout ${r.string(HEX, 40)} && npm ci`,
  (r) => `sha256:${r.string(HEX, 64)} is the digest of the image`,
  (r) => `MD5 (backup.tar) = ${r.string(HEX, 32)}`,
  (r) =>
    `"resolved": "https://packages.example/left-pad/-/left-pad-1.3.0.tgz", "integrity": "sha512-${r.string(`${BASE62}+/`, 86)}=="`,
  (r) => `order ${r.string(UPPER + DIGITS, 16)} has not arrived yet`,
  (r) => `{"trace_id":"${r.string(HEX, 32)}","span_id":"${r.string(HEX, 16)}","level":"info"}`,
  (r) => `request id: ${[8, 4, 4, 4, 12].map((n) => r.string(HEX, n)).join('-')}`,
  (r) => `https://docs.example.com/d/${r.string(BASE62, 44)}/edit`,
  (r) => `https://www.video.example/watch?v=${r.string(BASE62, 11)}&list=PL${r.string(BASE62, 32)}`,
  (r) => `<img src="data:image/png;base64,${r.string(`${BASE62}+/`, 300)}">`,
  (r) => `<link href="/static/css/main.${r.string(HEX, 20)}.css" rel="stylesheet">`,
  (r) =>
    `-----BEGIN CERTIFICATE-----\nMIID${r.string(`${BASE62}+/`, 60)}\n${r.string(`${BASE62}+/`, 64)}\n-----END CERTIFICATE-----`,
  (r) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${r.string(`${BASE62}+/`, 43)} jo@laptop`,
  (r) => `tracking number 1Z${r.string(UPPER + DIGITS, 16)}`,
  (r) => `etag: "${r.string(HEX, 32)}"`,
  (r) => `The transaction hash is 0x${r.string(HEX, 64)}`,
  (r) => `{"id":"chatcmpl-${r.string(BASE62, 29)}","object":"chat.completion"}`,
  (r) => `<div class="css-${r.string(BASE36, 7)} _${r.string(BASE62, 5)} sc-${r.string(BASE62, 6)}">`,
  (r) => `version 12.${r.below(99)}.${r.below(9)}-rc.1+build.20250${r.below(9)}17.${r.string(HEX, 7)}`,
  (r) => `file IMG_2025${r.string(DIGITS, 10)}_${r.string(DIGITS, 6)}_HDR_edited_final.jpg`,
  (r) => `call +49 30 ${r.string(DIGITS, 8)} about invoice INV-2025-${r.string(DIGITS, 8)}`,
  () => 'api_key = os.environ["ACME_API_KEY"]',
  () => `token: \${{ secrets.GITHUB_TOKEN }}`,
  () => 'password: <your-password-here>',
  () => 'export OPENAI_API_KEY="your-api-key-goes-here"',
  () => 'secret = getSecretValue("prod/db/password")',
  () => 'The password must have 12 characters, one digit and one of !@#$.',
  () => 'Your password is required and was last changed 30 days ago.',
  () => 'const password = req.body.password; if (!password) throw new Error("password missing");',
  () => 'password: z.string().min(8).max(128)',
  () => 'How do I reset the password to my account?',
  () => 'The token count is 4096 and max_tokens=2048 for this model',
  () => 'password = input("Enter password: ")',
  () => 'type User struct { Password string; Token *string }',
  () => 'password VARCHAR(255) NOT NULL, api_token CHAR(64) DEFAULT NULL',
  () => 'My password is not working any more. What should I do?',
  () => 'seed phrase: twelve words that you must never share with anyone because they open the wallet',
  (r) => `{"nextPageToken": "${r.string(BASE62, 40)}", "items": []}`,
  (r) => `kubectl logs payment-service-${r.string(HEX, 10)}-${r.string(BASE36, 5)} -n production-eu-west-1`,
  (r) => `arn:aws:lambda:eu-west-1:${r.string(DIGITS, 12)}:function:handler-v2-${r.string(HEX, 8)}`,
  (r) => `public key: ${r.string(BASE62, 44)}`,
  (r) => `DB_PASSWORD=\nDB_PORT=${r.string(DIGITS, 4)}\nDB_NAME=app_${r.string(DIGITS, 2)}`,
  (r) => `password: DB_PASSWORD_${r.string(DIGITS, 1)}`,
  (r) => `api_key:\nbase_url: https://api.example.com/v${r.string(DIGITS, 1)}`,
  (r) => `customer_id=${r.string(BASE36, 24)}, cart_id=${r.string(BASE36, 24)}`,
  () => 'com.fasterxml.jackson.core:jackson-databind:2.15.3 and org.apache.logging.log4j:log4j-core:2.20.0',
  () => 'C:\\Users\\jo\\AppData\\Local\\Programs\\Python\\Python311\\Lib\\site-packages\\numpy2\\core1',
  () => '/usr/local/lib/python3.11/site-packages/transformers/models/gpt2/modeling_gpt2.py',
];

/** `count` texts with a secret of an unknown issuer, then passwords and sessions. */
export function secretCases(seed: number, count: number): readonly SecretCase[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index): SecretCase => {
    const turn = index % 20;
    if (turn < 12) {
      const [kind, make] = KEYS[index % KEYS.length]!;
      const secret = make(random);
      const looksLikeAnId = kind === 'hexadecimal' || kind === 'UUID';
      const contexts = looksLikeAnId || random.next() < 0.6 ? WITH_CUE : WITHOUT_CUE;
      return { kind, text: random.pick(contexts)(random, secret), secret };
    }
    if (turn < 17) {
      const secret = random.pick(PASSWORDS)(random);
      const text = random.pick(PASSWORD_PLACES)(random, secret);
      return {
        kind: 'password',
        text,
        secret: text.includes(secret) ? secret : secret.replaceAll(/[@#/?]/g, '!'),
      };
    }
    if (turn === 17) {
      const secret = random.pick(WORD_PASSWORDS);
      return { kind: 'word as password', text: random.pick(WORD_PLACES)(secret), secret };
    }
    const secret = random.string(turn === 18 ? BASE62 : HEX, 32);
    return { kind: 'session', text: random.pick(SESSIONS)(random, secret), secret };
  });
}

/** `count` texts without a secret. */
export function harmlessCases(seed: number, count: number): readonly SecretCase[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => ({
    kind: `harmless ${index % HARMLESS.length}`,
    text: HARMLESS[index % HARMLESS.length]!(random),
    secret: null,
  }));
}
