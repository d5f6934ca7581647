import { describeDetectorContract } from './contract.ts';
import { namedSessionToken, sessionToken } from './session-token.ts';

const JWT = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiJFWEFNUExFIn0', 'EXAMPLEsignature'].join('.');
const UNSIGNED = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiJFWEFNUExFIn0', ''].join('.');

describeDetectorContract(sessionToken, {
  finds: [
    [`token ${JWT} end`, [JWT]],
    [`Authorization: Bearer ${JWT}`, [JWT]],
    [`cookie=${UNSIGNED};`, [UNSIGNED]],
    ['Authorization: Bearer EXAMPLE0123456789abcdef', ['EXAMPLE0123456789abcdef']],
  ],
  ignores: [
    'eyJhbGciOiJub25lIn0',
    'eyJ.eyJ.eyJ',
    'xeyJhbGciOiJub25lIn0.eyJzdWIiOiJFWEFNUExFIn0.sig',
    'Bearer authentication-schemes-explained',
    'Bearer <token>',
    'the bearer of this letter 1234567890123456',
    'Bearer abc123',
  ],
  hostile: [
    'eyJ',
    'eyJ.',
    'eyJaaaaaaaaaa.',
    'eyJaaaaaaaaaa.eyJaaaaaaaaaa.',
    'bearer ',
    'bearer a1',
    'bearer\t',
    'bearer/',
    'Bearer eyJ',
  ],
});

const COOKIE = 'EXAMPLE0123abcdefGHIJ';

describeDetectorContract(namedSessionToken, {
  finds: [
    [`Cookie: PHPSESSID=${COOKIE}; theme=dark`, [COOKIE]],
    [`JSESSIONID=${COOKIE}.node1`, [`${COOKIE}.node1`]],
    [`connect.sid=s%3A${COOKIE}.sig`, [`s%3A${COOKIE}.sig`]],
    [`"sessionToken": "${COOKIE}"`, [COOKIE]],
    [`my session id is ${COOKIE}.`, [COOKIE]],
    [`https://shop.example/?sid=${COOKIE}&page=2`, [COOKIE]],
  ],
  ignores: [
    'The session lasted 45 minutes.',
    'session: planning-meeting-for-the-new-office-building',
    'session_timeout=3600',
    'session path is /var/lib/php/sessions-2026/archive',
    'session: 2026-02-14T12:00:00Z',
    'obsession EXAMPLE0123abcdefGHIJ',
  ],
  hostile: ['sid=', 'session ', 'session a', 'sid', 'session=aaaa', 'sid,\n', 'sid=aaaaaaaaaaaaaaaaaaaaaa'],
});
