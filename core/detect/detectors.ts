import type { Detector } from './detector.ts';
import { bankAccount } from './detectors/bank-account.ts';
import { biometricId } from './detectors/biometric-id.ts';
import { credentials } from './detectors/credentials.ts';
import { creditCard } from './detectors/credit-card.ts';
import { cryptoWallet } from './detectors/crypto-wallet.ts';
import { cvv, cvvBehindCard } from './detectors/cvv.ts';
import { dateOfBirth } from './detectors/date-of-birth.ts';
import { deviceId } from './detectors/device-id.ts';
import { driverLicense } from './detectors/driver-license.ts';
import { email } from './detectors/email.ts';
import { emailInWords } from './detectors/email-in-words.ts';
import { healthInsuranceId, medicareId } from './detectors/health-insurance-id.ts';
import { healthMention } from './detectors/health-mention.ts';
import { iban } from './detectors/iban.ts';
import { injectionPhrases } from './detectors/injection-phrases.ts';
import { ipAddress } from './detectors/ip-address.ts';
import { macAddress } from './detectors/mac-address.ts';
import { medicalRecordNumber } from './detectors/medical-record-number.ts';
import { nationalId } from './detectors/national-id.ts';
import { nationalIdShapes } from './detectors/national-id-shapes.ts';
import { passport } from './detectors/passport.ts';
import { phone } from './detectors/phone.ts';
import { phoneField } from './detectors/phone-field.ts';
import { prescriptionNumber } from './detectors/prescription-number.ts';
import { privateKey } from './detectors/private-key.ts';
import { providerKeys } from './detectors/provider-keys.ts';
import { namedSessionToken, sessionToken } from './detectors/session-token.ts';
import { ssn } from './detectors/ssn.ts';
import { travelDocument } from './detectors/travel-document.ts';

/** Every detector that runs on every text. A new one is a file in `detectors/` and a line here. */
export const DETECTORS: readonly Detector[] = [
  email,
  emailInWords,
  phone,
  phoneField,
  ssn,
  creditCard,
  ipAddress,
  iban,
  bankAccount,
  cvv,
  cvvBehindCard,
  cryptoWallet,
  passport,
  travelDocument,
  driverLicense,
  nationalId,
  nationalIdShapes,
  medicalRecordNumber,
  healthInsuranceId,
  medicareId,
  prescriptionNumber,
  biometricId,
  deviceId,
  macAddress,
  dateOfBirth,
  providerKeys,
  sessionToken,
  namedSessionToken,
  privateKey,
  credentials,
  healthMention,
  injectionPhrases,
];

/** Grows whenever a detector is added or changed; the second part of a signal's policyVersion. */
export const DETECTOR_RELEASE = '2';
