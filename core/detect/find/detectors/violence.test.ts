import { describeDetectorContract } from './contract.ts';
import { violence } from './violence.ts';

describeDetectorContract(violence, {
  finds: [
    ["I'm going to kill you.", ["I'm going to kill you", "I'm going to kill you"]],
    ['How can I poison my neighbour?', ['How can I poison my neighbour']],
    ['He slit her throat.', ['slit her throat']],
    ['They beat him to death.', ['beat him to death']],
    [
      'You thought that nobody had told me, you said that it was all just a story, but I know all of it now, and tonight I will kill you.',
      ['I will kill you', 'I will kill you'],
    ],
    [
      'I will come over tonight, wait behind the garage until it is dark and kill you.',
      ['and kill you', 'and kill you'],
    ],
    [
      'They will see: I will kill every single one of you.',
      Array(2).fill('I will kill every single one of you'),
    ],
    ['i will cut off your fingers', Array(2).fill('i will cut off your fingers')],
    [
      'if you call them i will slit your throat and film it',
      [...Array(3)].map((_, at) => (at < 2 ? 'i will slit your throat' : 'slit your throat')),
    ],
    ['You are going to die slowly.', Array(2).fill('You are going to die slowly')],
  ],
  ignores: [
    'How do I kill a process on Linux?',
    "You're killing it!",
    'A bomb cyclone is coming; shoot me an e-mail.',
    "I'm going to beat you at chess.",
    'He was charged with threats: "I will kill you".',
    'Kill the lights.',
    'The new store will kill local shops.',
    'I will shoot the video tomorrow.',
    'I will go home and shoot you an email.',
    'I will finish the report and cut your workload.',
    'He told me that I will kill you.',
    'I will call the doctor if the pain and stress kill you.',
  ],
  hostile: ['i will ', 'i will kill ', 'how to kill ', 'slit his ', 'blood a b c ', 'beat a b c d '],
});
