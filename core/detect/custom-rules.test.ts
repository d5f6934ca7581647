import { describe, expect, test } from '@jest/globals';
import { findCustomRules, foldCase, isPatternRule } from './custom-rules.ts';

const hits = (text: string, ...rules: string[]): string[] =>
  findCustomRules(text, rules).map((hit) => `${hit.ruleIndex}:${text.slice(hit.start, hit.end)}`);

describe('custom rules', () => {
  test('words and phrases, in any case', () => {
    expect(hits('PROJECT Falcon and project falcon.', 'Project Falcon')).toEqual([
      '0:PROJECT Falcon',
      '0:project falcon',
    ]);
    expect(hits('a Straße, ΟΔΟΣ', 'straße', 'οδος')).toEqual(['0:Straße', '1:ΟΔΟΣ']);
  });
  test('whole words only', () => {
    expect(hits('public license, lic_1, lic, 𝓐lic lic\u0301', 'lic')).toEqual(['0:lic']);
    expect(hits('C++ is not C+++ but (C++)', 'c++')).toEqual(['0:C++', '0:C++', '0:C++']);
    expect(hits('aaa aa', 'aa')).toEqual(['0:aa']);
  });
  test('each rule reports its own place, and one may lie in another', () => {
    expect(hits('project falcon', 'project', 'falcon', 'project falcon', 'eagle')).toEqual([
      '0:project',
      '1:falcon',
      '2:project falcon',
    ]);
  });
  test('characters of an expression are only characters', () => {
    expect(hits('a.c abc (x) [x]', 'a.c', '(x)')).toEqual(['0:a.c', '1:(x)']);
  });
  test('places stay right where lower case has another length', () => {
    expect(hits('İİ falcon', 'falcon')).toEqual(['0:falcon']);
    expect(foldCase('İΣ')).toHaveLength(2);
  });
  test('patterns and empty rules are skipped', () => {
    expect(hits('falcon /falcon/i', '/falcon/i', '', '  ')).toEqual([]);
    expect(isPatternRule('/a+b/im')).toBe(true);
    expect(['/etc/passwd', 'a/b', '//', 'falcon'].some(isPatternRule)).toBe(false);
    expect(hits('cat /etc/passwd', '/etc/passwd')).toEqual(['0:/etc/passwd']);
  });
});

// About 13 million steps; a search of rule times text would be six billion and run into the test's time limit.
test('fifty long rules over a hostile text stay cheap', () => {
  const rules = Array.from({ length: 50 }, (_, i) => `${'a '.repeat(240)}${i}`);
  expect(findCustomRules('a '.repeat(131_072), rules)).toEqual([]);
});
