import { describeDetectorContract } from './contract.ts';
import { highEntropy } from './high-entropy.ts';

/** Assembled at run time, so that secret scanners ignore it. */
const TOKEN = ['q7Xw2', 'Lr9Zt4', 'Kp8Vb3', 'Hn6Dy1'].join('');
const LOWER = ['x8k2q', '7vbz4', 'm9twp', '3h6rj', '5f1dg'].join('');
const HEX = ['3f9a1c', '7be204', 'd58e6b', '0a9c41', 'f7d2e8', '35'].join('');
/** The case of each digit is random. */
const MIXED_HEX = ['aDE7Cc', '08fcDc', '0DA52e', '09E51C', '8F25CA', 'd0D06b'].join('');
const GROUPS = ['n8zx5', 'wz3cf6lt', 'jc0smh', 'k1v4t77'].join('-');
const UUID = [
  HEX.slice(0, 8),
  HEX.slice(8, 12),
  HEX.slice(12, 16),
  HEX.slice(16, 20),
  HEX.slice(20, 32),
].join('-');

const LONG = TOKEN.repeat(40);

describeDetectorContract(highEntropy, {
  finds: [
    [`please check ${TOKEN} for me`, [TOKEN]],
    [`ACME=${LOWER}`, [LOWER]],
    [`acme_live_${LOWER} does not work`, [`acme_live_${LOWER}`]],
    [`Here is the key they sent us: ${TOKEN}.`, [TOKEN]],
    [`the token we got from them, ${HEX}, is refused`, [HEX]],
    [`https://example.com/cb?state=ok&access_token=${TOKEN}`, [TOKEN]],
    [`"X-Token" => "${UUID}"`, [UUID]],
    [`ACME ?= ${LOWER}`, [LOWER]],
    [`ACME?=${LOWER}`, [LOWER]],
    [`ACME = 0x${LOWER}`, [`0x${LOWER}`]],
    [`they sent me this:\n${MIXED_HEX}\n`, [MIXED_HEX]],
    [`acme: ${GROUPS}`, [GROUPS]],
    ['acme-9rh2dlRpC-LBS1hgUCnP fails', ['acme-9rh2dlRpC-LBS1hgUCnP']],
    ['this one:\nxQzO4Qrq-fFERvRnhwQym8U-YpBvJxitVKXf', ['xQzO4Qrq-fFERvRnhwQym8U-YpBvJxitVKXf']],
    [`acme = ${LONG}`, [LONG]],
  ],
  ignores: [
    `uses: aws-actions/configure-aws-credentials@${'5fd3084fc36e372ff1fff382'}a39b10d03659f355`,
    '+-com.google.auth:google-auth-library-oauth2-http:0.7.0',
    "Load the token classification model 'lucifer011/autotrain-job_all-903929564'",
    `commit ${HEX}`,
    `the build took 5 s, md5 ${HEX}`,
    `https://example.com/watch/${TOKEN}?v=${LOWER}`,
    `"order_id": "${TOKEN}"`,
    `id: ${UUID}`,
    `<img src="data:image/png;base64,${TOKEN}${LOWER}">`,
    `integrity="sha384-${TOKEN}${LOWER}"`,
    `main.${TOKEN}.chunk.js`,
    'getElementsByClassName2AndThenSome',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    'libfoo-2.14.1-1ubuntu0.22.04.3_amd64',
    'org.springframework.boot-2.7.18/spring-boot-starter-parent',
    '2024-11-05T10:15:30.123456789+01:00-build20241105',
    `-----BEGIN CERTIFICATE-----\n${TOKEN}${LOWER}\n-----END CERTIFICATE-----`,
    `0x${HEX}`,
    `${HEX.toUpperCase()}`,
    'web-7d9f8b6c4-x7k2p is not ready',
    'ip-10-0-12-7.web-5f7c9d-b2x9z.eu-west-1',
    `acme = ${LONG}/${TOKEN}`,
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${TOKEN} jo@host`,
  ],
  hostile: [
    'a1B2',
    'aB3/',
    '=a1',
    '-----BEGIN ',
    'https://a1',
    TOKEN,
    `${TOKEN} `,
    'token a1b2c3d4e5f6a7b8 ',
    '~.',
  ],
});
