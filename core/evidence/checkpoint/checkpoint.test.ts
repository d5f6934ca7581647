import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { describe, expect, test } from '#jest';
import { type Checkpoint, checkpointText, parseCheckpoint } from './checkpoint.ts';
import { type NoteSigner, openNote, parseNote, signNote } from './signed-note.ts';
import { noteKeyId, parseVerifierKey, verifierKey } from './verifier-key.ts';

/** A key from a fixed seed, so that notes are the same in every run. */
function signer(name: string, seed: number): NoteSigner {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x!, 'base64url');
  return { name, publicKey, sign: (message) => sign(null, message, key) };
}

const ours = signer('ledger.example', 1);
const other = signer('ledger.example', 2);
const checkpoint: Checkpoint = {
  origin: 'ledger.example/0190a5c8-3f6b-7c44-9a5b-3c1f6c6f0a11',
  size: 1_234,
  root: Buffer.alloc(32, 7),
  chainHead: Buffer.alloc(32, 9),
  epoch: null,
};

describe('verifier keys', () => {
  test('a published key has its published id', () => {
    // The example key from https://c2sp.org/signed-note.
    const text = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    const key = parseVerifierKey(text);
    expect(key?.name).toBe('PeterNeumann');
    expect(noteKeyId(key!).toString('hex')).toBe('c74f20a3');
    expect(verifierKey(key!)).toBe(text);
  });

  test.each([
    '',
    'name',
    'name+00000000+',
    verifierKey(ours).replace('ledger', 'ledgers'),
    `${verifierKey(ours)}A`,
    `a b${verifierKey(ours)}`,
    'x'.repeat(10_000),
  ])('%.30s is rejected', (text) => expect(parseVerifierKey(text)).toBeNull());
});

describe('signed notes', () => {
  const note = signNote(checkpointText(checkpoint), ours);

  test('a note opens with its key, and with no other', () => {
    expect(openNote(note, [ours])).toEqual({ text: checkpointText(checkpoint), signedBy: [ours] });
    expect(openNote(note, [other, ours])?.signedBy).toEqual([ours]);
    expect(openNote(note, [other])).toBeNull();
    expect(openNote(note, [])).toBeNull();
  });

  test('every changed byte invalidates the note', () => {
    for (let at = 0; at < note.length; at += 1) {
      const changed = `${note.slice(0, at)}${note[at] === 'x' ? 'y' : 'x'}${note.slice(at + 1)}`;
      expect(openNote(changed, [ours])).toBeNull();
    }
  });

  test('further signatures are ignored, but a wrong one of a known key is not', () => {
    const line = (one: NoteSigner): string => parseLast(signNote(checkpointText(checkpoint), one));
    const parseLast = (text: string): string => text.slice(text.lastIndexOf('\n\n') + 2);
    expect(openNote(note + line(other), [ours])?.signedBy).toEqual([ours]);
    expect(openNote(note + line(other), [ours, other])?.signedBy).toEqual([ours, other]);
    const wrong = parseLast(signNote('something else\n', other));
    expect(openNote(note + wrong, [ours, other])).toBeNull();
  });

  test('anything that is not a note is rejected', () => {
    const hostile = [
      '',
      'text\n',
      'text\n\n',
      '\n\n\n',
      note.slice(0, -1),
      note.replace('\u2014', '-'),
      `${note}\u2014 a b c\n`,
      `${'a\n'.repeat(40_000)}\n${note}`,
      note + note.slice(note.lastIndexOf('\n\n') + 2).repeat(40),
      note.replace('1234', '12\u000034'),
    ];
    for (const one of hostile) expect(openNote(one, [ours])).toBeNull();
    expect(parseNote(note)?.signatures).toHaveLength(1);
  });

  test('an ambiguous text is not signed', () => {
    for (const text of ['no line end', 'tab\t\n', '\ud800\n'])
      expect(() => signNote(text, ours)).toThrow(RangeError);
    expect(() => signNote('text\n', { ...ours, name: 'two words' })).toThrow(RangeError);
  });
});

describe('checkpoints', () => {
  test.each([checkpoint, { ...checkpoint, size: 0 }, { ...checkpoint, epoch: 2 }])('reads back', (one) => {
    expect(parseCheckpoint(checkpointText(one))).toEqual(one);
  });

  test('unknown extension lines are ignored', () => {
    expect(parseCheckpoint(`${checkpointText(checkpoint)}witnessed yes\n`)).toEqual(checkpoint);
  });

  test('anything that is not a checkpoint is rejected', () => {
    const text = checkpointText(checkpoint);
    const hostile = [
      '',
      text.replace('1234', '01234'),
      text.replace('1234', '-1'),
      text.replace('1234', '1e3'),
      text.replace('1234', '9'.repeat(16)),
      text.replace('1234', '9'.repeat(100_000)),
      text.replace('BwcH', 'BwcH!'),
      text.replace('chain-head ', 'head '),
      text.slice(text.indexOf('\n')),
      `${text}log-epoch x\n`,
    ];
    for (const one of hostile) expect(parseCheckpoint(one)).toBeNull();
  });
});
