import { describeDetectorContract } from './contract.ts';
import { healthMention } from './health-mention.ts';

describeDetectorContract(healthMention, {
  finds: [
    ['I was diagnosed with lupus in May.', ['I was diagnosed with']],
    ['The patient is HIV positive.', ['The patient is HIV']],
    ['She has type 2 diabetes', ['She has type 2 diabet']],
    ['my brother suffers from severe epilepsy', ['my brother suffers from severe epilep']],
    ['Ms Novak takes lithium at night', ['Ms Novak takes lithium']],
    ["I'm bipolar", ["I'm bipolar"]],
    ['He was recently prescribed sertraline', ['He was recently prescribed sertraline']],
  ],
  ignores: [
    'What is diabetes?',
    'People are often diagnosed with asthma as children.',
    'I have a question about cancer research.',
    'Explain how insulin works.',
    'If I have diabetes, can I eat rice?',
    'I do not have cancer.',
    'Lithium batteries were invented by a team.',
    'The economy is in a depression.',
    'She is a cancer researcher and I am an HIV specialist.',
    'Hearing aids cost 2000 dollars.',
  ],
  hostile: ['diagnosed with ', 'I have ', 'I have a a a a cancer ', 'hiv ', 'I takes lithium ', 'Aa Aa hiv '],
});
