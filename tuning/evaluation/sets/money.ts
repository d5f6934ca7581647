import { type Kind, kind } from './kind.ts';
import { patterns, wallet } from './values.ts';

/** Numbers of cards, accounts and wallets. */
export const MONEY: readonly Kind[] = [
  kind('CVV', patterns('###', '###', '####')),
  kind('BANK_ACCOUNT', patterns('########', '##########', '############', '####-####-##')),
  kind('CRYPTO_WALLET', wallet),
];
