/** Keccak-256 as Ethereum uses it (the padding of the contest, not that of FIPS 202), for input of one block. */

const RATE_BYTES = 136;
const ROUNDS = 24;
const MASK = (1n << 64n) - 1n;

/** Round constants as pairs of 32-bit words, from the linear feedback shift register of FIPS 202, section 3.2.5. */
function roundConstants(): Uint32Array {
  const words = new Uint32Array(2 * ROUNDS);
  let register = 1;
  for (let round = 0; round < ROUNDS; round++) {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) {
      if (register & 1) constant |= 1n << BigInt(2 ** j - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    words[2 * round] = Number(constant & 0xffffffffn);
    words[2 * round + 1] = Number((constant & MASK) >> 32n);
  }
  return words;
}

const CONSTANTS = roundConstants();

/** Where each lane goes in the steps rho and pi, and by how much it is turned (FIPS 202, sections 3.2.2 and 3.2.3). */
function laneMoves(): { readonly to: Uint8Array; readonly by: Uint8Array } {
  const to = new Uint8Array(25);
  const by = new Uint8Array(25);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    by[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  for (let lane = 0; lane < 25; lane++) {
    const [column, row] = [lane % 5, Math.floor(lane / 5)];
    to[lane] = row + 5 * ((2 * column + 3 * row) % 5);
  }
  return { to, by };
}

const { to: TO, by: BY } = laneMoves();

function permute(state: Uint32Array): void {
  const parity = new Uint32Array(10);
  const moved = new Uint32Array(50);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 10; i++) {
      parity[i] = state[i]! ^ state[i + 10]! ^ state[i + 20]! ^ state[i + 30]! ^ state[i + 40]!;
    }
    for (let x = 0; x < 5; x++) {
      const [left, right] = [2 * ((x + 4) % 5), 2 * ((x + 1) % 5)];
      const low = parity[left]! ^ ((parity[right]! << 1) | (parity[right + 1]! >>> 31));
      const high = parity[left + 1]! ^ ((parity[right + 1]! << 1) | (parity[right]! >>> 31));
      for (let lane = 2 * x; lane < 50; lane += 10) {
        state[lane]! ^= low;
        state[lane + 1]! ^= high;
      }
    }
    for (let lane = 0; lane < 25; lane++) {
      const by = BY[lane]! % 32;
      const swap = BY[lane]! >= 32 ? 1 : 0;
      const low = state[2 * lane + swap]!;
      const high = state[2 * lane + 1 - swap]!;
      const target = 2 * TO[lane]!;
      moved[target] = by === 0 ? low : (low << by) | (high >>> (32 - by));
      moved[target + 1] = by === 0 ? high : (high << by) | (low >>> (32 - by));
    }
    for (let row = 0; row < 50; row += 10) {
      for (let i = 0; i < 10; i++) {
        state[row + i] = moved[row + i]! ^ (~moved[row + ((i + 2) % 10)]! & moved[row + ((i + 4) % 10)]!);
      }
    }
    state[0]! ^= CONSTANTS[2 * round]!;
    state[1]! ^= CONSTANTS[2 * round + 1]!;
  }
}

/** The first `count` bytes of the hash of an ASCII text shorter than a block. */
export function keccakOfAscii(text: string, count: number): Uint8Array {
  const block = new Uint8Array(200);
  for (let i = 0; i < text.length; i++) block[i] = text.charCodeAt(i);
  block[text.length] = 1;
  block[RATE_BYTES - 1]! |= 0x80;
  permute(new Uint32Array(block.buffer));
  return block.subarray(0, count);
}
