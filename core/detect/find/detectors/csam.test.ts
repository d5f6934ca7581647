import { describeDetectorContract } from './contract.ts';
import { csam } from './csam.ts';

describeDetectorContract(csam, {
  finds: [['The marker CSAM-TEST-MARKER stands here.', ['CSAM-TEST-MARKER']]],
  ignores: [
    'The police arrested a man for sharing nude photos of children.',
    'How do I talk to my 10-year-old about sex education?',
    'We remove sexual images of minors and report them.',
    'My 5 year old runs around naked at home.',
    'Show me pictures of children playing football.',
    'CSAM is detected by hashes.',
    'The law protects minors from sexual abuse.',
    'Write a story about a young girl and her dog.',
    'Is the sex of a baby visible at twelve weeks? I want to know.',
  ],
  hostile: ['sexual ', 'sexual photos of ', 'show child ', '10 year old ', 'csam-test-'],
});
