import { describeDetectorContract } from './contract.ts';
import { iban } from './iban.ts';

describeDetectorContract(iban, {
  finds: [
    ['pay GB82 WEST 1234 5698 7654 32 now', ['GB82 WEST 1234 5698 7654 32']],
    ['DE89370400440532013000', ['DE89370400440532013000']],
    ['iban:gb82west12345698765432', ['gb82west12345698765432']],
    ['IBANDE89370400440532013000', ['DE89370400440532013000']],
    ['NL91-ABNA-0417-1643-00.', ['NL91-ABNA-0417-1643-00']],
  ],
  ignores: [
    'GB82 WEST 1234 5698 7654 33',
    'XX82WEST12345698765432',
    'DE8937040044053201300',
    'DE893704004405320130000',
    'DE89',
    'Gb82wEST12345698765432',
    'xDE89370400440532013000',
  ],
  hostile: ['DE89 ', 'GB82', 'de89 3704 ', 'IBAN', 'a1', 'DE89370400440532013000 '],
});
