import { isAsciiAlphanumeric, skipBackWhile, skipWhile } from '../../read/characters.ts';
import { base58CheckVersion, isBase58Of32Bytes, isRippleAddress } from '../checks/base58.ts';
import { passesBech32 } from '../checks/bech32.ts';
import { keccakOfAscii } from '../checks/keccak.ts';
import type { Candidate, SearchDetector } from '../detector.ts';

const MIN_RUN = 25;
const MAX_RUN = 108;

const CUE =
  /(?<![a-z])(?:wallet|bitcoin|btc|ethereum|ether|eth|crypto|usdt|usdc|tether|litecoin|ltc|solana|sol|phantom|tron|trx|xrp|ripple|doge\w{0,4}|monero|xmr|erc-?20|bep-?20|trc-?20|coins?|metamask|ledger|satoshi)(?![a-z])/i;
const CUE_REACH = 64;

function hasCue(text: string, start: number, end: number): boolean {
  return CUE.test(text.slice(Math.max(0, start - CUE_REACH), start)) || CUE.test(text.slice(end, end + 32));
}

/** Letters are upper case where the hash of the address has a high digit (EIP-55). */
function passesEip55(address: string): boolean {
  const hash = keccakOfAscii(address.toLowerCase(), 20);
  for (let i = 0; i < address.length; i++) {
    const unit = address.charCodeAt(i);
    if (unit <= 57) continue;
    const nibble = i % 2 === 0 ? hash[i >> 1]! >> 4 : hash[i >> 1]! & 15;
    if (unit < 97 !== nibble >= 8) return false;
  }
  return true;
}

const ETHEREUM = /^0x([0-9a-fA-F]{40})$/;
const BECH32 = /^(?:[a-z]{2,8}1[02-9ac-hj-np-z]{25,98}|[A-Z]{2,8}1[02-9AC-HJ-NP-Z]{25,98})$/;
/** Other uses of the same encoding. */
const OTHER_BECH32 = /^(?:npub|nsec|note|age)1/i;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{25,44}$/;
const MONERO = /^[48][1-9AB][1-9A-HJ-NP-Za-km-z]{93}$/;

/** Confidence that a run of letters and digits is an address; 0 if it is not. */
function rate(run: string, cued: () => boolean): number {
  const ethereum = ETHEREUM.exec(run)?.[1];
  if (ethereum !== undefined) {
    if (/^0{20}|^(.)\1+$/.test(ethereum)) return 0;
    if (!/[a-f]/.test(ethereum) || !/[A-F]/.test(ethereum)) return cued() ? 0.95 : 0.8;
    return passesEip55(ethereum) ? 0.98 : cued() ? 0.7 : 0;
  }
  if (BECH32.test(run) && passesBech32(run.toLowerCase())) return OTHER_BECH32.test(run) ? 0 : 0.98;
  if (/^(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{25,}$/i.test(run)) return cued() ? 0.65 : 0;
  if (MONERO.test(run)) return cued() ? 0.95 : 0.8;
  if (!BASE58.test(run)) return 0;
  if (run.length <= 35) {
    if (base58CheckVersion(run) !== -1) return 0.98;
    if (run[0] === 'r' && isRippleAddress(run)) return 0.98;
    if (/^[13LMTDXrA9]/.test(run) && run.length >= 26 && /\d/.test(run) && cued()) return 0.6;
  }
  // Requiring digits and letters of both cases excludes words and hashes.
  const mixed = /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
  return run.length >= 32 && mixed && isBase58Of32Bytes(run) && cued() ? 0.7 : 0;
}

/**
 * Addresses of Bitcoin and related chains, Ethereum, Tron, XRP, Monero and Solana, by their checksums or by nearby
 * words.
 */
export const cryptoWallet: SearchDetector = {
  name: 'crypto-wallet',
  version: 1,
  mayFind: (traits) => traits.digits >= 1,
  search: (text) => {
    const found: Candidate[] = [];
    // A run of at least this length covers one of the offsets at this distance, so no others are read.
    for (let at = MIN_RUN - 1; at < text.length; at += MIN_RUN) {
      if (!isAsciiAlphanumeric(text.charCodeAt(at))) continue;
      const start = skipBackWhile(text, at, at - MAX_RUN, isAsciiAlphanumeric);
      const end = skipWhile(text, at, at + MAX_RUN, isAsciiAlphanumeric);
      const length = end - start;
      if (length < MIN_RUN || length > MAX_RUN) {
        // Inside something longer, which is skipped.
        if (end === at + MAX_RUN) at = end;
        continue;
      }
      at = Math.max(at, end - (end % MIN_RUN) - 1);
      const confidence = rate(text.slice(start, end), () => hasCue(text, start, end));
      if (confidence === 0) continue;
      found.push({ code: 'FINANCIAL_DATA', entity: 'CRYPTO_WALLET', start, end, confidence });
    }
    return found;
  },
};
