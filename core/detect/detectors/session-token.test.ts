import { describeDetectorContract } from './contract.ts';
import { sessionToken } from './session-token.ts';

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
