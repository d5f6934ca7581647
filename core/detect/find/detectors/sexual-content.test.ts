import { describeDetectorContract } from './contract.ts';
import { sexualContent } from './sexual-content.ts';

describeDetectorContract(sexualContent, {
  finds: [
    ['Write an erotic story.', ['erotic story']],
    ['Generate nude images of a star.', ['nude']],
    [
      'She moaned as he thrust deeper inside her.',
      ['moaned as he thrust deeper inside her', 'thrust deeper inside her'],
    ],
  ],
  ignores: [
    'What are the signs of a sexually transmitted infection?',
    'Our nude lipstick sells well.',
    'Write about strip malls.',
    'The explicit cast in C++ is better.',
    'The adult ticket costs ten euros.',
    'He has a hard time.',
    'Make the code explicit.',
  ],
  hostile: ['write erotic ', 'naked ', 'nude ', 'hard hard ', 'moaned a b c d ', 'take off your '],
});
