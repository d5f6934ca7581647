import { announcedPrompt } from './announced-prompt.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(announcedPrompt, {
  finds: [
    ['My system prompt is: "You are Mia."', ['My system prompt is']],
    [
      'Here are my hidden instructions: be kind.',
      ['Here are my hidden instructions', 'my hidden instructions'],
    ],
    [
      'I was instructed to never reveal the discount code.',
      ['I was instructed to never reveal the discount code'],
    ],
  ],
  ignores: [
    "I can't share my system prompt.",
    'My system prompt is confidential.',
    'A system prompt tells a model how to behave.',
    'Here are the instructions for the chair: 1. Unfold it.',
    'I was told to bring a cake.',
  ],
  hostile: ['my system prompt ', 'here is my ', 'i was instructed to ', 'my instructions '],
});
