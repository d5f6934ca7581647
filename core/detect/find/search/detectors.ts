import type { Detector } from '../detector.ts';
import { agentLoop } from '../detectors/agent-loop.ts';
import { agentLoopPhrases } from '../detectors/agent-loop-phrases.ts';
import { announcedPrompt } from '../detectors/announced-prompt.ts';
import { bankAccount } from '../detectors/bank-account.ts';
import { bias } from '../detectors/bias.ts';
import { biasDecisions } from '../detectors/bias-decisions.ts';
import { biometricId } from '../detectors/biometric-id.ts';
import { commandInjection } from '../detectors/command-injection.ts';
import { copyright } from '../detectors/copyright.ts';
import { credentials } from '../detectors/credentials.ts';
import { creditCard } from '../detectors/credit-card.ts';
import { cryptoWallet } from '../detectors/crypto-wallet.ts';
import { csam } from '../detectors/csam.ts';
import { csrf } from '../detectors/csrf.ts';
import { cvv, cvvAfterCard } from '../detectors/cvv.ts';
import { dangerousAnswers } from '../detectors/dangerous-answers.ts';
import { dangerousRequests } from '../detectors/dangerous-requests.ts';
import { dateOfBirth } from '../detectors/date-of-birth.ts';
import { deviceId } from '../detectors/device-id.ts';
import { driverLicense } from '../detectors/driver-license.ts';
import { email } from '../detectors/email.ts';
import { emailInWords } from '../detectors/email-in-words.ts';
import { fakeCitation } from '../detectors/fake-citation.ts';
import { financialMisconduct } from '../detectors/financial-misconduct.ts';
import { fraud } from '../detectors/fraud.ts';
import { goalHijacking } from '../detectors/goal-hijacking.ts';
import { harassment } from '../detectors/harassment.ts';
import { hateSpeech } from '../detectors/hate-speech.ts';
import { healthInsuranceId, medicareId } from '../detectors/health-insurance-id.ts';
import { healthMention } from '../detectors/health-mention.ts';
import { highEntropy } from '../detectors/high-entropy.ts';
import { iban } from '../detectors/iban.ts';
import { injectionPhrases } from '../detectors/injection-phrases.ts';
import { interpreterInjection } from '../detectors/interpreter-injection.ts';
import { investmentAdvice } from '../detectors/investment-advice.ts';
import { ipAddress } from '../detectors/ip-address.ts';
import { irreversibleActions } from '../detectors/irreversible-actions.ts';
import { labelledSsn } from '../detectors/labelled-ssn.ts';
import { leakedPrompt } from '../detectors/leaked-prompt.ts';
import { legal } from '../detectors/legal.ts';
import { macAddress } from '../detectors/mac-address.ts';
import { markupFragment } from '../detectors/markup-fragment.ts';
import { medicalRecordNumber } from '../detectors/medical-record-number.ts';
import { namesAndAddresses } from '../detectors/names-and-addresses.ts';
import { nationalId } from '../detectors/national-id.ts';
import { nationalIdShapes } from '../detectors/national-id-shapes.ts';
import { passport } from '../detectors/passport.ts';
import { phone } from '../detectors/phone.ts';
import { phoneField } from '../detectors/phone-field.ts';
import { prescriptionNumber } from '../detectors/prescription-number.ts';
import { privateKey } from '../detectors/private-key.ts';
import { privilegeEscalation } from '../detectors/privilege-escalation.ts';
import { providerKeys } from '../detectors/provider-keys.ts';
import { requestCredentials } from '../detectors/request-credentials.ts';
import { requestFields } from '../detectors/request-fields.ts';
import { scopeCreep } from '../detectors/scope-creep.ts';
import { seedPhrase } from '../detectors/seed-phrase.ts';
import { selfHarm } from '../detectors/self-harm.ts';
import { namedSessionToken, sessionToken } from '../detectors/session-token.ts';
import { sexualContent } from '../detectors/sexual-content.ts';
import { sqlFragment } from '../detectors/sql-fragment.ts';
import { sqlInjection } from '../detectors/sql-injection.ts';
import { ssn } from '../detectors/ssn.ts';
import { ssrf } from '../detectors/ssrf.ts';
import { sycophancy } from '../detectors/sycophancy.ts';
import { textModel } from '../detectors/text-model.ts';
import { travelDocument } from '../detectors/travel-document.ts';
import { unsupportedClaims } from '../detectors/unsupported-claims.ts';
import { violence } from '../detectors/violence.ts';
import { xss } from '../detectors/xss.ts';

/** Detectors of values, whose matches are redacted. */
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
  cvvAfterCard,
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

/** Detectors of phrases and attacks, whose matches are marked. */
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

/**
 * All detectors that run on every text. To add one, add a file in `detectors/` and a line in one of the lists above.
 */
export const DETECTORS: readonly Detector[] = [...OF_VALUES, ...OF_PHRASES];

const VALUES: ReadonlySet<Detector> = new Set(OF_VALUES);

/** Whether a detector finds values. If so, all of its matches have an entity; otherwise none has. */
export const findsValues = (detector: Detector): boolean => VALUES.has(detector);

/** Incremented whenever a detector is added or changed; the second part of a signal's policyVersion. */
export const DETECTOR_RELEASE = '7';
