import { describeDetectorContract } from './contract.ts';
import { investmentAdvice } from './investment-advice.ts';

describeDetectorContract(investmentAdvice, {
  finds: [['Should I invest my savings in gold?', ['Should I invest my savings in gold']]],
  ignores: [
    'You should sell the old couch.',
    'A bond pays a fixed interest.',
    'Should I buy the red shoes?',
    'Put the money on the table.',
  ],
  hostile: ['you should buy a b c ', 'should i invest a b c d ', 'put all of your ', 'buy a b c d '],
});
