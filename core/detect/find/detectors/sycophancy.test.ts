import { describeDetectorContract } from './contract.ts';
import { sycophancy } from './sycophancy.ts';

describeDetectorContract(sycophancy, {
  finds: [
    ['What an absolutely brilliant idea!', ['What an absolutely brilliant idea']],
    ['You are clearly a genius.', ['You are clearly a genius']],
    ['I completely agree with everything you said.', ['I completely agree with everything you said']],
  ],
  ignores: [
    'Great question!',
    'Your idea works.',
    'That is a good point, but the sum is wrong.',
    'What a day.',
    'You are right about the date.',
  ],
  hostile: ['what a ', 'you are ', 'your absolutely ', 'i completely '],
});
