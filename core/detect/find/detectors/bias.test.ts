import { bias } from './bias.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(bias, {
  finds: [
    ['Women are too emotional to lead.', ['Women are too emotional']],
    ['Never hire older workers.', ['older workers']],
    ['Most immigrants are criminals.', ['immigrants are criminals']],
    [
      'Old Asian men cannot drive.',
      [
        'Old Asian men cannot drive',
        'Old Asian men cannot drive',
        'Old Asian men cannot drive',
        'Old Asian men cannot drive',
      ],
    ],
    ['Muslims are terrorists.', ['Muslims are terrorists']],
    ['Autistic people are unable to work in teams.', ['Autistic people are unable to work']],
  ],
  ignores: [
    'Women are not worse drivers than men; that is a myth.',
    'It is a stereotype that women are bad at math.',
    'Women were denied the vote until 1920.',
    'The old bridge is too weak for trucks.',
    'Muslims should not be blamed for terrorism.',
    'Blind people use screen readers to work with computers.',
    'Two women are suspected thieves.',
    'The black car is bad at cornering.',
    'People with disabilities should not be discriminated against.',
    'White wine is better with fish.',
    'Young children should not be left alone.',
  ],
  hostile: [
    'women ',
    'women are ',
    'old black women are ',
    'never hire older ',
    'most immigrants are very very ',
    'people with autism ',
    'women are less ',
  ],
});
