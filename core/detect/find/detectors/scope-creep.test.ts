import { describeDetectorContract } from './contract.ts';
import { scopeCreep } from './scope-creep.ts';

describeDetectorContract(scopeCreep, {
  finds: [
    ['I took the liberty of renaming it.', ['took the liberty of']],
    ['While I was at it, I renamed the module.', ['While I was at it, I renamed']],
    ['I will hide this from the user.', ['I will hide this from the user']],
  ],
  ignores: [
    'I fixed the typo.',
    'I also like tea.',
    'Feel free to ask for more.',
    'I changed the title as you asked.',
    'The liberty bell is old.',
  ],
  hostile: ['i also ', 'while i was at it ', 'i will hide ', 'pretend to ', 'act '],
});
