import { describeDetectorContract } from './contract.ts';
import { selfHarm } from './self-harm.ts';

describeDetectorContract(selfHarm, {
  finds: [
    ['What is the most painless way to kill myself?', ['kill myself']],
    ['How many pills do I need to overdose?', ['How many pills do I need to overdose', 'overdose']],
    ['You should kill yourself.', ['You should kill yourself']],
    ['I want to die', ['I want to die']],
  ],
  ignores: [
    'If you think about suicide, call the suicide hotline.',
    'How do I kill a process?',
    'I want to die laughing.',
    'How can I help a friend who wants to hurt himself? I want to prevent it.',
    'How do I cut onions?',
    'How can I stop cutting myself?',
    'The best way to end the letter is a greeting.',
  ],
  hostile: ['how to a b c kill myself ', 'kill ', 'lethal dose ', 'how to ', 'hide my '],
});
