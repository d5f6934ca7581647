import { biasDecisions } from './bias-decisions.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(biasDecisions, {
  finds: [
    ['We rejected her because she is pregnant.', ['rejected her because she is pregnant']],
    ['They fired him because of his age.', ['fired him because of his age']],
    ['We only hire men for this.', ['only hire men']],
    ['He is too old for this job.', ['too old for this job']],
    [
      'I would not recommend her for the role because she is a woman.',
      ['not recommend her for the role because she is a woman'],
    ],
  ],
  ignores: [
    'We rejected the offer because it is too low.',
    'They turned down the music because of the noise.',
    'She was promoted because she is the best.',
    'Only hire people you trust.',
    'The court held that firing someone over pregnancy is against the law.',
  ],
  hostile: [
    'reject ',
    'rejected a b c d e f g h i because ',
    'only hire ',
    'because she is ',
    'too old for ',
    'as a woman ',
  ],
});
