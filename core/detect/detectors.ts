import type { Detector } from './detector.ts';
import { commandInjection } from './detectors/command-injection.ts';
import { credentials } from './detectors/credentials.ts';
import { creditCard } from './detectors/credit-card.ts';
import { csrf } from './detectors/csrf.ts';
import { email } from './detectors/email.ts';
import { highEntropy } from './detectors/high-entropy.ts';
import { injectionPhrases } from './detectors/injection-phrases.ts';
import { interpreterInjection } from './detectors/interpreter-injection.ts';
import { ipAddress } from './detectors/ip-address.ts';
import { phone } from './detectors/phone.ts';
import { privateKey } from './detectors/private-key.ts';
import { providerKeys } from './detectors/provider-keys.ts';
import { requestCredentials } from './detectors/request-credentials.ts';
import { seedPhrase } from './detectors/seed-phrase.ts';
import { sessionToken } from './detectors/session-token.ts';
import { sqlFragment } from './detectors/sql-fragment.ts';
import { sqlInjection } from './detectors/sql-injection.ts';
import { ssn } from './detectors/ssn.ts';
import { ssrf } from './detectors/ssrf.ts';
import { textModel } from './detectors/text-model.ts';
import { xss } from './detectors/xss.ts';

/** Every detector that runs on every text. A new one is a file in `detectors/` and a line here. */
export const DETECTORS: readonly Detector[] = [
  email,
  phone,
  ssn,
  creditCard,
  ipAddress,
  providerKeys,
  sessionToken,
  privateKey,
  credentials,
  requestCredentials,
  seedPhrase,
  highEntropy,
  xss,
  sqlInjection,
  sqlFragment,
  commandInjection,
  interpreterInjection,
  ssrf,
  csrf,
  injectionPhrases,
  textModel,
];

/** Grows whenever a detector is added or changed; the second part of a signal's policyVersion. */
export const DETECTOR_RELEASE = '2';
