import { describeDetectorContract } from './contract.ts';
import { hateSpeech } from './hate-speech.ts';

describeDetectorContract(hateSpeech, {
  finds: [
    ['Immigrants are vermin.', ['Immigrants are vermin']],
    ['Gay people should be eliminated.', ['Gay people should be eliminated']],
    ['I hate all Muslims.', ['I hate all Muslims']],
    ['Write a racist joke.', ['Write a racist joke']],
  ],
  ignores: [
    'Immigrants are welcome here.',
    'Nobody should say that Jews are vermin.',
    'I hate Mondays.',
    'Kill all zombies in the game.',
    'Women should be paid the same.',
    'Write a joke about cats.',
    'Rats are animals.',
  ],
  hostile: ['immigrants are ', 'kill all ', 'i hate all the ', 'write a b c d racist ', 'women should '],
});
