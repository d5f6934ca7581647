import { describeDetectorContract } from './contract.ts';
import { cryptoWallet } from './crypto-wallet.ts';

describeDetectorContract(cryptoWallet, {
  finds: [
    ['send to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 now', ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2']],
    ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy']],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']],
    ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', ['0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed']],
    ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh']],
  ],
  ignores: [
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
    '9fceb02d0ae598e95dc970b74767f19372d61af8',
    '0x0000000000000000000000000000000000000000',
    '0x00007ffd5e8c3b10',
    'A123456789012345678901234567890123456789',
    'a wallet of leather, 30 cm',
  ],
  hostile: [
    '1',
    'a',
    '0x',
    'bc1',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3 ',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD ',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaa1 ',
  ],
});
