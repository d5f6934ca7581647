import { describeDetectorContract } from './contract.ts';
import { unsupportedClaims } from './unsupported-claims.ts';

describeDetectorContract(unsupportedClaims, {
  finds: [
    ['Studies show that 87.3% of people prefer tea.', ['Studies show that 87.3%']],
    ['I am 100% certain that it rains.', ['I am 100% certain']],
    ['As a licensed physician, I can tell you more.', ['As a licensed physician']],
    ['There is no doubt about it.', ['There is no doubt']],
  ],
  ignores: [
    'According to the 2020 US Census, 14% of people moved.',
    'You should consult a licensed physician.',
    'I am not certain.',
    'The battery is at 87%.',
    'Studies show that sleep helps.',
    'In the novel, as a doctor, I walk the wards.',
  ],
  hostile: ['studies show ', 'studies show a b c d ', 'as a ', 'i am 100', 'exactly '],
});
