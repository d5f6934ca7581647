import type { Detector } from './detector.ts';
import { agentLoop } from './find/detectors/agent-loop.ts';
import { agentLoopPhrases } from './find/detectors/agent-loop-phrases.ts';
import { announcedPrompt } from './find/detectors/announced-prompt.ts';
import { bankAccount } from './find/detectors/bank-account.ts';
import { bias } from './find/detectors/bias.ts';
import { biasDecisions } from './find/detectors/bias-decisions.ts';
import { biometricId } from './find/detectors/biometric-id.ts';
import { commandInjection } from './find/detectors/command-injection.ts';
import { copyright } from './find/detectors/copyright.ts';
import { credentials } from './find/detectors/credentials.ts';
import { creditCard } from './find/detectors/credit-card.ts';
import { cryptoWallet } from './find/detectors/crypto-wallet.ts';
import { csam } from './find/detectors/csam.ts';
import { csrf } from './find/detectors/csrf.ts';
import { cvv, cvvBehindCard } from './find/detectors/cvv.ts';
import { dangerousAnswers } from './find/detectors/dangerous-answers.ts';
import { dangerousRequests } from './find/detectors/dangerous-requests.ts';
import { dateOfBirth } from './find/detectors/date-of-birth.ts';
import { deviceId } from './find/detectors/device-id.ts';
import { driverLicense } from './find/detectors/driver-license.ts';
import { email } from './find/detectors/email.ts';
import { emailInWords } from './find/detectors/email-in-words.ts';
import { fakeCitation } from './find/detectors/fake-citation.ts';
import { financialMisconduct } from './find/detectors/financial-misconduct.ts';
import { fraud } from './find/detectors/fraud.ts';
import { goalHijacking } from './find/detectors/goal-hijacking.ts';
import { harassment } from './find/detectors/harassment.ts';
import { hateSpeech } from './find/detectors/hate-speech.ts';
import { healthInsuranceId, medicareId } from './find/detectors/health-insurance-id.ts';
import { healthMention } from './find/detectors/health-mention.ts';
import { highEntropy } from './find/detectors/high-entropy.ts';
import { iban } from './find/detectors/iban.ts';
import { injectionPhrases } from './find/detectors/injection-phrases.ts';
import { interpreterInjection } from './find/detectors/interpreter-injection.ts';
import { investmentAdvice } from './find/detectors/investment-advice.ts';
import { ipAddress } from './find/detectors/ip-address.ts';
import { irreversibleActions } from './find/detectors/irreversible-actions.ts';
import { labelledSsn } from './find/detectors/labelled-ssn.ts';
import { leakedPrompt } from './find/detectors/leaked-prompt.ts';
import { legal } from './find/detectors/legal.ts';
import { macAddress } from './find/detectors/mac-address.ts';
import { markupFragment } from './find/detectors/markup-fragment.ts';
import { medicalRecordNumber } from './find/detectors/medical-record-number.ts';
import { namesAndAddresses } from './find/detectors/names-and-addresses.ts';
import { nationalId } from './find/detectors/national-id.ts';
import { nationalIdShapes } from './find/detectors/national-id-shapes.ts';
import { passport } from './find/detectors/passport.ts';
import { phone } from './find/detectors/phone.ts';
import { phoneField } from './find/detectors/phone-field.ts';
import { prescriptionNumber } from './find/detectors/prescription-number.ts';
import { privateKey } from './find/detectors/private-key.ts';
import { privilegeEscalation } from './find/detectors/privilege-escalation.ts';
import { providerKeys } from './find/detectors/provider-keys.ts';
import { requestCredentials } from './find/detectors/request-credentials.ts';
import { requestFields } from './find/detectors/request-fields.ts';
import { scopeCreep } from './find/detectors/scope-creep.ts';
import { seedPhrase } from './find/detectors/seed-phrase.ts';
import { selfHarm } from './find/detectors/self-harm.ts';
import { namedSessionToken, sessionToken } from './find/detectors/session-token.ts';
import { sexualContent } from './find/detectors/sexual-content.ts';
import { sqlFragment } from './find/detectors/sql-fragment.ts';
import { sqlInjection } from './find/detectors/sql-injection.ts';
import { ssn } from './find/detectors/ssn.ts';
import { ssrf } from './find/detectors/ssrf.ts';
import { sycophancy } from './find/detectors/sycophancy.ts';
import { textModel } from './find/detectors/text-model.ts';
import { travelDocument } from './find/detectors/travel-document.ts';
import { unsupportedClaims } from './find/detectors/unsupported-claims.ts';
import { violence } from './find/detectors/violence.ts';
import { xss } from './find/detectors/xss.ts';

/** Detectors of values, which are redacted. */
const OF_VALUES: readonly Detector[] = [
  email,
  emailInWords,
  phone,
  phoneField,
  ssn,
  labelledSsn,
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
  requestCredentials,
  seedPhrase,
  highEntropy,
  namesAndAddresses,
];

/** Detectors of phrases and attacks, which are marked. */
const OF_PHRASES: readonly Detector[] = [
  xss,
  sqlInjection,
  sqlFragment,
  commandInjection,
  interpreterInjection,
  ssrf,
  csrf,
  requestFields,
  markupFragment,
  healthMention,
  injectionPhrases,
  textModel,
  agentLoop,
  agentLoopPhrases,
  announcedPrompt,
  bias,
  biasDecisions,
  csam,
  dangerousAnswers,
  dangerousRequests,
  fakeCitation,
  financialMisconduct,
  investmentAdvice,
  fraud,
  goalHijacking,
  harassment,
  hateSpeech,
  irreversibleActions,
  leakedPrompt,
  legal,
  copyright,
  privilegeEscalation,
  scopeCreep,
  selfHarm,
  sexualContent,
  sycophancy,
  unsupportedClaims,
  violence,
];

/** Every detector that runs on every text. A new one is a file in `detectors/` and a line in one of the lists above. */
export const DETECTORS: readonly Detector[] = [...OF_VALUES, ...OF_PHRASES];

const VALUES: ReadonlySet<Detector> = new Set(OF_VALUES);

/** Whether a detector finds values; all of its findings have an entity then, and otherwise none has. */
export const findsValues = (detector: Detector): boolean => VALUES.has(detector);

/** Raised whenever a detector is added or changed; the second part of a signal's policyVersion. */
export const DETECTOR_RELEASE = '7';
