import { expect, test } from '@jest/globals';
import { describeDetectorContract, findsOf } from './contract.ts';
import { credentials } from './credentials.ts';

/** A placeholder whose value is filled in elsewhere. */
const VARIABLE = ['$', '{DB_PASSWORD1}'].join('');

describeDetectorContract(credentials, {
  finds: [
    ['DB_PASSWORD=Tr0ub4dor&3', ['Tr0ub4dor&3']],
    ["password: 's3cret pass phrase'", ['s3cret pass phrase']],
    ['my password is hunter2EX!', ['hunter2EX!']],
    ['{"apiKey": "EXAMPLE-0123456789abcdef"}', ['EXAMPLE-0123456789abcdef']],
    ['aws_secret_access_key = EXAMPLE/K7MDENG+bPxRfiCY', ['EXAMPLE/K7MDENG+bPxRfiCY']],
    ['clientSecret := "EXAMPLE0123456789"', ['EXAMPLE0123456789']],
    ['postgres://app:s3cretEX@db.example.com:5432/x', ['s3cretEX']],
    ['https://jo:pa55word!@example.com', ['pa55word!']],
    ['access_token=EXAMPLE0123456789&x=1', ['EXAMPLE0123456789']],
    ['"session_id": "EXAMPLE0123456789"', ['EXAMPLE0123456789']],
    ['The passphrase was c0rrect-h0rse.', ['c0rrect-h0rse']],
    ['password=Trueblue1!, pwd: Enterprise#9', ['Trueblue1!', 'Enterprise#9']],
    ['The password for the portal is Summer2026!', ['Summer2026!']],
    ['export TOKEN="EXAMPLE0123456789"', ['EXAMPLE0123456789']],
    ["define('DB_PASSWORD', 's3cretEX!');", ['s3cretEX!']],
    ['conn.setPassword("s3cretEX!")', ['s3cretEX!']],
    ['<entry key="db.password">s3cretEX!</entry>', ['s3cretEX!']],
    ['machine example.com login jo password s3cretEX!', ['s3cretEX!']],
    ["'secret_key'                 =>        'EXAMPLE0123456789',", ['EXAMPLE0123456789']],
    ['<add key="Password"              value="s3cretEX!"     />', ['s3cretEX!']],
  ],
  ignores: [
    'password: string;',
    'password = process.env.DB_PASS1',
    'const token = getToken1234("x")',
    `password=${VARIABLE}`,
    'password = "<your-password-1>"',
    'api_key = "YOUR_API_KEY_123"',
    'secret: null, token: undefined',
    'maxTokens = 4096, tokenCount: 123456',
    'The password must be at least 12 characters long',
    'password is required',
    'forgot password? Reset at https://example.com/reset1',
    'type="password" name="pw1234"',
    'token = tokens[i1]',
    'secretary: Jo1234',
    'https://example.com:8080/path@1',
    `redis://user:${VARIABLE}@host`,
    'password: ********1',
    'passwordHash: "5f4dcc3b5aa765d61d8327deb882cf99"',
    'tokens: 1234567890123',
    'The password for the admin is set by the installer1.',
    'password = "changeme1", pwd=xxxxxxxx',
    'the secret is kept in /etc/secret1/key.txt',
    'password_file: /run/secrets/db1',
    "create('username', 'password', 'email2')",
    'findByPassword("field1")',
    '<label for="password">Password1</label>',
    'setPassword(password1)',
    'I will pass Algebra#2',
    'reset your password jo@example1.com',
    'password $2b$12$EXAMPLEEXAMPLE',
    'password:\n          length1: 12',
  ],
  hostile: [
    'password',
    'password=',
    'password: "',
    'password is ',
    'password for a b c d ',
    'secret-',
    'token',
    '://',
    '://a:',
    '://a:b',
    'api_key=Ab3',
    '("password","',
    'key="password">',
    `password${' '.repeat(40)}`,
    `password=${' '.repeat(40)}`,
    "token='",
  ],
});

test('names tell what the value is', () => {
  const entity = (text: string) => findsOf(credentials, text).map((candidate) => candidate.entity);
  expect(entity('passwd=abc123!')).toEqual(['PASSWORD']);
  expect(entity('client_secret=EXAMPLE0123456789')).toEqual(['API_KEY']);
  expect(entity('refresh_token=EXAMPLE0123456789')).toEqual(['SESSION_TOKEN']);
});
