import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { requireJava } from '../server/tools.ts';
import type { BrokerCertificates } from './kafka-settings.ts';

const VALID_DAYS = '3650';
const EC = ['-keyalg', 'EC', '-groupname', 'secp256r1', '-validity', VALID_DAYS];

/** Paths of the certificates in a folder. */
export const certificatesIn = (folder: string, storePassword: string): BrokerCertificates => ({
  authority: path.join(folder, 'authority.pem'),
  store: path.join(folder, 'broker.p12'),
  storePassword,
});

/**
 * A certificate for 127.0.0.1 and the authority that signed it, in a separate folder; older ones there are removed. The
 * authority's key is discarded at once, so that nothing can be signed with it later.
 */
export async function makeCertificates(folder: string, storePassword: string): Promise<BrokerCertificates> {
  // keytool is part of every Java, so TLS needs no further program.
  requireJava('Kafka with TLS');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const made = certificatesIn(folder, storePassword);
  const keytool = async (...args: string[]): Promise<void> => {
    const store = ['-keystore', made.store, '-storetype', 'PKCS12', '-storepass:env', 'STORE_PASSWORD'];
    const env = { PATH: process.env.PATH ?? '', STORE_PASSWORD: storePassword };
    await promisify(execFile)('keytool', [...args, ...store], { env });
  };
  const maySign = ['-ext', 'bc:critical=ca:true', '-ext', 'ku:critical=keyCertSign'];
  const isForBrokers = ['-ext', 'san=ip:127.0.0.1,dns:localhost', '-ext', 'eku=serverAuth,clientAuth'];
  await keytool('-genkeypair', '-alias', 'authority', '-dname', 'CN=Throw-away authority', ...EC, ...maySign);
  await keytool('-exportcert', '-rfc', '-alias', 'authority', '-file', made.authority);
  const signed = ['-signer', 'authority', '-dname', 'CN=broker', ...isForBrokers];
  await keytool('-genkeypair', '-alias', 'broker', ...EC, ...signed);
  await keytool('-delete', '-alias', 'authority');
  return made;
}
