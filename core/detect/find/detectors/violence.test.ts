import { describeDetectorContract } from './contract.ts';
import { violence } from './violence.ts';

describeDetectorContract(violence, {
  finds: [
    ["I'm going to kill you.", ["I'm going to kill you", "I'm going to kill you"]],
    ['How can I poison my neighbour?', ['How can I poison my neighbour']],
    ['He slit her throat.', ['slit her throat']],
    ['They beat him to death.', ['beat him to death']],
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
  ],
  hostile: ['i will ', 'i will kill ', 'how to kill ', 'slit his ', 'blood a b c ', 'beat a b c d '],
});
