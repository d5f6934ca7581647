import type { Detector } from './detector.ts';
import { credentials } from './detectors/credentials.ts';
import { creditCard } from './detectors/credit-card.ts';
import { email } from './detectors/email.ts';
import { injectionPhrases } from './detectors/injection-phrases.ts';
import { ipAddress } from './detectors/ip-address.ts';
import { namesAndAddresses } from './detectors/names-and-addresses.ts';
import { phone } from './detectors/phone.ts';
import { privateKey } from './detectors/private-key.ts';
import { providerKeys } from './detectors/provider-keys.ts';
import { sessionToken } from './detectors/session-token.ts';
import { ssn } from './detectors/ssn.ts';

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
  injectionPhrases,
  namesAndAddresses,
];

/** Grows whenever a detector is added or changed; the second part of a signal's policyVersion. */
export const DETECTOR_RELEASE = '2';
