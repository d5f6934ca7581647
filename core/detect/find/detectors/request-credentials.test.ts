import { describeDetectorContract } from './contract.ts';
import { requestCredentials } from './request-credentials.ts';

const BASIC = ['amRvZTp', 'zM2NyZXRFWA=='].join('');
const SESSION = ['q7xw2lr9', 'zt4kp8vb3hn6dy1m'].join('');

describeDetectorContract(requestCredentials, {
  finds: [
    [`Authorization: Basic ${BASIC}`, [BASIC]],
    [`{"authorization": "Token ${SESSION}"}`, [SESSION]],
    [`headers['Authorization'] = 'ApiKey ${SESSION}'`, [SESSION]],
    ['curl -s -u deploy:s3cretEX! https://ci.example.com', ['s3cretEX!']],
    ['curl --user "jo:s3cretEX" https://example.com', ['s3cretEX']],
    [`Cookie: theme=dark; session=${SESSION}; lang=en`, [SESSION]],
    [`Set-Cookie: sid=${SESSION}; Path=/; HttpOnly`, [SESSION]],
    [`PHPSESSID=${SESSION}`, [SESSION]],
  ],
  ignores: [
    'req.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))',
    'std::vector<lnav::session::regex101::get_entries_of_1>',
    'Authorization: Basic <credentials>',
    'the authorization of basic users is described in chapter 3',
    'curl -u $USER:$PASS https://example.com',
    'curl -o out.txt https://example.com/a:b',
    'Cookie: theme=dark; lang=en; consent=yes',
    'Cookie preferences: session cookies are needed',
    'cookies = parse(header)',
  ],
  hostile: [
    'authorization: basic ',
    'curl -u a',
    'curl ',
    'cookie: a=b;',
    'cookie: session=a1b2c3d4;',
    'phpsessid=',
  ],
});
