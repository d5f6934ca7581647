/*
 * Written by `npm run -w tuning generate:lookalikes` out of confusables.txt 17.0.0 of 2025-07-22 (Unicode Security Mechanisms,
 * UTS #39). Its licence is Unicode-3.0:
 *
 * Copyright © 1991-2025 Unicode, Inc.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
 * documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the
 * Data Files or Software without restriction, including without limitation the rights to use, copy, modify, merge,
 * publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data
 * Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear
 * with all copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated
 * Documentation.
 *
 * THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD
 * PARTY RIGHTS.
 *
 * IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL
 * INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER
 * IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
 * PERFORMANCE OF THE DATA FILES OR SOFTWARE.
 *
 * Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise
 * to promote the sale, use or other dealings in these Data Files or Software without prior written authorization of
 * the copyright holder.
 */

/** The 538 letters beyond ASCII that look like one of ASCII, by the letter they look like. */
export const LOOKALIKES: Readonly<Record<string, string>> = {
  A: '\u0391\u0410\u13aa\u15c5\ua4ee\u{102a0}\u{16f40}\u{1d6a8}\u{1d6e2}\u{1d71c}\u{1d756}\u{1d790}',
  B: '\u0392\u0412\u13f4\u15f7\u2c82\ua4d0\ua7b4\u{10282}\u{102a1}\u{10301}\u{1d6a9}\u{1d6e3}\u{1d71d}\u{1d757}\u{1d791}',
  C: '\u03f9\u0421\u13df\u2ca4\ua4da\u{102a2}\u{10302}\u{10415}\u{1051c}',
  D: '\u13a0\u15de\u15ea\ua4d3',
  E: '\u0395\u0415\u13ac\u2d39\ua4f0\u{10286}\u{118a6}\u{118ae}\u{1d6ac}\u{1d6e6}\u{1d720}\u{1d75a}\u{1d794}',
  F: '\u03dc\u15b4\ua4dd\ua798\u{10287}\u{102a5}\u{10525}\u{118a2}\u{118c2}\u{1d7ca}',
  G: '\u050c\u13c0\u13f3\ua4d6',
  H: '\u0397\u041d\u13bb\u157c\u2c8e\ua4e7\u{102cf}\u{1d6ae}\u{1d6e8}\u{1d722}\u{1d75c}\u{1d796}',
  I: '\u0196\u0399\u0406\u04c0\u16c1\u2c92\u2d4f\ua4f2\u{1028a}\u{10309}\u{16eaa}\u{16f28}\u{1d6b0}\u{1d6ea}\u{1d724}\u{1d75e}\u{1d798}',
  J: '\u037f\u0408\u13ab\u148d\ua4d9\ua7b2',
  K: '\u039a\u041a\u13e6\u16d5\u2c94\ua4d7\u{10518}\u{1d6b1}\u{1d6eb}\u{1d725}\u{1d75f}\u{1d799}',
  L: '\u13de\u14aa\u2cd0\ua4e1\u{1041b}\u{10526}\u{118a3}\u{118b2}\u{16f16}',
  M: '\u039c\u03fa\u041c\u13b7\u15f0\u16d6\u2c98\ua4df\u{102b0}\u{10311}\u{1d6b3}\u{1d6ed}\u{1d727}\u{1d761}\u{1d79b}',
  N: '\u039d\u2c9a\ua4e0\u{10513}\u{1d6b4}\u{1d6ee}\u{1d728}\u{1d762}\u{1d79c}',
  O: '\u039f\u041e\u0555\u0b20\u12d0\u2c9e\u2d54\ua4f3\u{10292}\u{102ab}\u{10404}\u{104c2}\u{10516}\u{118b5}\u{1d6b6}\u{1d6f0}\u{1d72a}\u{1d764}\u{1d79e}',
  P: '\u03a1\u0420\u13e2\u146d\u2ca2\u2cce\ua4d1\u{10295}\u{1d6b8}\u{1d6f2}\u{1d72c}\u{1d766}\u{1d7a0}',
  Q: '\u2d55',
  R: '\u01a6\u13a1\u13d2\u1587\ua4e3\u{104b4}\u{16f35}',
  S: '\u0405\u054f\u13d5\u13da\ua4e2\u{10296}\u{10420}\u{16f3a}',
  T: '\u03a4\u0422\u13a2\u2ca6\ua4d4\u{10297}\u{102b1}\u{10315}\u{118bc}\u{16f0a}\u{1d6bb}\u{1d6f5}\u{1d72f}\u{1d769}\u{1d7a3}',
  U: '\u054d\u1200\u144c\ua4f4\u{104ce}\u{118b8}\u{16f42}',
  V: '\u0474\u13d9\u142f\u2d38\ua4e6\ua6df\u{1051d}\u{118a0}\u{16f08}',
  W: '\u051c\u13b3\u13d4\ua4ea',
  X: '\u03a7\u0425\u16b7\u2cac\u2d5d\ua4eb\ua7b3\u{10290}\u{102b4}\u{10317}\u{10527}\u{1d6be}\u{1d6f8}\u{1d732}\u{1d76c}\u{1d7a6}',
  Y: '\u03a5\u03d2\u0423\u04ae\u13a9\u13bd\u2ca8\ua4ec\u{102b2}\u{118a4}\u{16f43}\u{1d6bc}\u{1d6f6}\u{1d730}\u{1d76a}\u{1d7a4}',
  Z: '\u0396\u13c3\ua4dc\u{118a9}\u{1d6ad}\u{1d6e7}\u{1d721}\u{1d75b}\u{1d795}',
  a: '\u0251\u03b1\u0430\uab7a\u{1d6c2}\u{1d6fc}\u{1d736}\u{1d770}\u{1d7aa}',
  b: '\u0184\u042c\u13cf\u13fc\u1472\u15af\u2c83\u{16eb6}',
  c: '\u03f2\u0441\u1004\u105a\u1d04\u2ca5\uabaf\u{1043d}',
  d: '\u0501\u13e7\u146f\ua4d2\uab70',
  e: '\u0435\u04bd\uab32\uab7c',
  f: '\u0192\u0584\u1e9d\ua799\uab35\u{1d7cb}',
  g: '\u018d\u0261\u0581\u13fb\u1d83\uab90',
  h: '\u04bb\u0570\u13c2\u2c8f\uab8b',
  i: '\u0131\u0269\u026a\u037a\u03b9\u0456\u0582\u13a5\u1fbe\u2c93\ua647\uab75\u{118c3}\u{1d6a4}\u{1d6ca}\u{1d704}\u{1d73e}\u{1d778}\u{1d7b2}',
  j: '\u03f3\u0458\uab7b',
  k: '\u1d0b\u2c95\uabb6\u{1d6cb}\u{1d6de}\u{1d705}\u{1d718}\u{1d73f}\u{1d752}\u{1d779}\u{1d78c}\u{1d7b3}\u{1d7c6}',
  l: '\u04cf\u05d5\u05df\u0627\u07ca\u2cd1\uabae\ufe8d\ufe8e\u{10443}\u{11dda}\u{1ee00}\u{1ee80}',
  n: '\u0578\u057c\u2c9b',
  o: '\u03bf\u03c3\u03ed\u043e\u0585\u05e1\u0647\u06be\u06c1\u06d5\u0d20\u101d\u10ff\u1d0f\u1d11\u2c9f\uab3d\ufba6\ufba7\ufba8\ufba9\ufbaa\ufbab\ufbac\ufbad\ufee9\ufeea\ufeeb\ufeec\u{1042c}\u{104ea}\u{118c8}\u{118d7}\u{1d6d0}\u{1d6d4}\u{1d70a}\u{1d70e}\u{1d744}\u{1d748}\u{1d77e}\u{1d782}\u{1d7b8}\u{1d7bc}\u{1ee24}\u{1ee64}\u{1ee84}',
  p: '\u00fe\u01bf\u03c1\u03f1\u03f8\u0440\u2ca3\u2ccf\uabb2\u{1d6d2}\u{1d6e0}\u{1d70c}\u{1d71a}\u{1d746}\u{1d754}\u{1d780}\u{1d78e}\u{1d7ba}\u{1d7c8}',
  q: '\u051b\u0563\u0566',
  r: '\u0433\u1d26\u2c85\uab47\uab48\uab71\uab81\uaba2',
  s: '\u01bd\u0455\u0d1f\ua731\uabaa\u{10448}\u{118c1}',
  t: '\u2ca7\uab72\u{1d6d5}\u{1d70f}\u{1d749}\u{1d783}\u{1d7bd}',
  u: '\u028b\u03c5\u057d\u1d1c\ua79f\uab4e\uab52\u{104f6}\u{118d8}\u{1d6d6}\u{1d710}\u{1d74a}\u{1d784}\u{1d7be}',
  v: '\u03bd\u0475\u05d8\u1d20\uaba9\u{11706}\u{118c0}\u{1d6ce}\u{1d708}\u{1d742}\u{1d77c}\u{1d7b6}',
  w: '\u026f\u0448\u0461\u051d\u0561\u1d21\u2cb1\u2cbd\ua7b7\uab83\u{1170a}\u{1170e}\u{1170f}\u{1d6da}\u{1d714}\u{1d74e}\u{1d788}\u{1d7c2}',
  x: '\u0445\u1541\u157d\u2cad\uab53\uab55\u{1d6d8}\u{1d712}\u{1d74c}\u{1d786}\u{1d7c0}',
  y: '\u0263\u028f\u03b3\u0443\u04af\u10e7\u1d8c\u1eff\u213d\u2ca9\uab5a\u{118dc}\u{1d6c4}\u{1d6fe}\u{1d738}\u{1d772}\u{1d7ac}',
  z: '\u1d22\uab93\u{118c4}',
};
