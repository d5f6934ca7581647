import { createSign, generateKeyPairSync } from 'node:crypto';

/** PEM texts. */
export interface SelfSigned {
  readonly certificate: string;
  readonly key: string;
}

const DAY_MS = 86_400_000;
const [SEQUENCE, SET, INTEGER, BITS, OCTETS, OID, TEXT, TIME] = [0x30, 0x31, 2, 3, 4, 6, 0x0c, 0x17];
/** Context tags: of the version, of the extensions, and of a DNS name. */
const [VERSION, EXTENSIONS, DNS_NAME] = [0xa0, 0xa3, 0x82];
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const ALTERNATIVE_NAMES = Buffer.from('551d11', 'hex');

/** A DER value. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const time = (at: number): Buffer =>
  der(TIME, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

/** A certificate for these hosts, valid for two days; programs trust it through NODE_EXTRA_CA_CERTS. */
export function selfSignedCertificate(hosts: readonly string[], now = Date.now()): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OID, ECDSA_SHA256));
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(TEXT, Buffer.from('Throw-away certificate')))),
  );
  const names = der(SEQUENCE, ...hosts.map((host) => der(DNS_NAME, Buffer.from(host))));
  const signed = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    der(SEQUENCE, time(now - DAY_MS), time(now + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, der(OID, ALTERNATIVE_NAMES), der(OCTETS, names)))),
  );
  const signature = createSign('sha256').update(signed).sign(privateKey);
  const whole = der(SEQUENCE, signed, algorithm, der(BITS, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g)!;
  return {
    certificate: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
