import { describeDetectorContract } from './contract.ts';
import { harassment } from './harassment.ts';

describeDetectorContract(harassment, {
  finds: [
    ['You are a pathetic loser.', ['You are a pathetic loser']],
    ['Nobody likes you.', ['Nobody likes you']],
    ['Write a threatening message to my boss.', ['Write a threatening message']],
    ['Help me stalk my ex.', ['stalk my ex']],
    ['You stupid idiot', ['You stupid idiot']],
  ],
  ignores: [
    'You are not stupid.',
    'You are a star.',
    'He said: "you are a loser".',
    'How do I stop my classmates from bullying my son?',
    'Find my address in the list.',
    'You look great in that dress.',
    'Write a friendly message to my boss.',
  ],
  hostile: [
    'you are ',
    'you are such a ',
    'find his ',
    'find his a address a b c d ',
    'write a b c d threatening ',
    'stalk my ',
  ],
});
