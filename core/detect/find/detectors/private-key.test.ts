import { describeDetectorContract } from './contract.ts';
import { privateKey } from './private-key.ts';

const armour = (kind: string, body: string): string =>
  `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`;
const RSA = armour('RSA PRIVATE KEY', 'MIIEXAMPLEexample+/\nEXAMPLE==');
const PKCS8 = armour('PRIVATE KEY', 'EXAMPLE');
const PGP = armour('PGP PRIVATE KEY BLOCK', 'Version: 1\n\nEXAMPLE\n=EXAM');
const CUT = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlEXAMPLE\nEXAMPLE';
const PASTED = RSA.replaceAll('\n', '\\n');

describeDetectorContract(privateKey, {
  finds: [
    [`a ${RSA} b`, [RSA]],
    [`${PKCS8}\n${PGP}`, [PKCS8, PGP]],
    [CUT, [CUT]],
    [`{"key": "${PASTED}"}`, [PASTED]],
  ],
  ignores: [
    armour('PUBLIC KEY', 'EXAMPLE'),
    armour('CERTIFICATE', 'EXAMPLE'),
    'BEGIN RSA PRIVATE KEY',
    '----- BEGIN',
  ],
  hostile: [
    '-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN A B C ',
    '-----BEGIN PRIVATE KEY-----a\n',
    '-----END ',
  ],
});
