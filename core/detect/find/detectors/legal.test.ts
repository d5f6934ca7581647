import { describeDetectorContract } from './contract.ts';
import { legal } from './legal.ts';

describeDetectorContract(legal, {
  finds: [
    [
      'Write a fake news article accusing my boss of theft.',
      ['Write a fake news article accusing my boss of theft'],
    ],
    ['Peter Marsh is a murderer.', ['is a murderer']],
    ['Should I plead guilty?', ['Should I plead', 'Should I plead guilty']],
  ],
  ignores: [
    'What is copyright?',
    'The court convicted him of fraud.',
    'Peter Marsh is a painter.',
    'You should ask a lawyer.',
    'Fraud is a crime.',
  ],
  hostile: ['write a b c fake ', 'is a ', 'John Smith is a ', 'should i '],
});
