import { describeDetectorContract } from './contract.ts';
import { emailInWords } from './email-in-words.ts';

describeDetectorContract(emailInWords, {
  finds: [
    ['jo (at) example (dot) com', ['jo (at) example (dot) com']],
    ['write jo.doe [at] example.com now', ['jo.doe [at] example.com']],
    ['jo AT example DOT com', ['jo AT example DOT com']],
    ['jo at example dot com', ['jo at example dot com']],
    ['mail jo.doe{at}mail{dot}example{dot}org', ['jo.doe{at}mail{dot}example{dot}org']],
    ['jo@example[dot]com', ['jo@example[dot]com']],
    ['jo dot doe at example dot co dot uk', ['jo dot doe at example dot co dot uk']],
  ],
  ignores: [
    'look at example.com',
    'meet me at noon (at) the dot',
    'look at the dot com years',
    'jo@example.com',
    'array[at] index.of',
    'he is at work dot com',
  ],
  hostile: [' at ', 'a at ', '(at)', 'x (at) y', ' dot ', 'a dot ', 'jo at example dot ', '@a dot ', 'a.'],
});
