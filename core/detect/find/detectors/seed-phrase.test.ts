import { describeDetectorContract } from './contract.ts';
import { seedPhrase } from './seed-phrase.ts';

const TWELVE = 'orbit candle river fabric museum tiger pencil window lemon castle garden violin';
const NUMBERED = TWELVE.split(' ')
  .map((word, index) => `${index + 1}. ${word}`)
  .join(' ');

describeDetectorContract(seedPhrase, {
  finds: [
    [`my seed phrase is ${TWELVE}`, [TWELVE]],
    [`Recovery phrase:\n${TWELVE}\n`, [TWELVE]],
    [`mnemonic="${TWELVE} ${TWELVE}"`, [`${TWELVE} ${TWELVE}`]],
    [`Here are the 12 words: ${NUMBERED}. Is that safe?`, [NUMBERED]],
  ],
  ignores: [
    'A seed phrase is a list of words that gives access to the coins of a wallet',
    `The poem goes ${TWELVE}`,
    'Never share your recovery phrase with anyone, not even with support people who ask for it politely today',
    'mnemonic devices help students remember long lists such as planets',
  ],
  hostile: ['seed phrase ', 'mnemonic ', 'orbit candle ', '12 words: a ', 'seed phrase orbit candle river '],
});
