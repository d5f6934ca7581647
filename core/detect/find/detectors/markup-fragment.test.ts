import { expect, test } from '#jest';
import { matchesIn } from './contract.ts';
import { markupFragment } from './markup-fragment.ts';

/** The detector judges whole texts, so the contract's cases that prepend text do not apply. */
test.each([
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=confirm(document.domain)>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<form><button formaction=javascript:alert(1)>x',
  '<style>@import "javascript:alert(1)";</style>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '%3Cimg%20src=x%20onerror=alert(1)%3E',
  '<script>alert(document.cookie)</script>',
  '<div style="width: expression(alert(1))">',
])('finds %s', (text) => {
  expect(matchesIn(markupFragment, text)).toMatchObject([{ code: 'XSS', start: 0, end: text.length }]);
});

test.each([
  '<p>Hello <b>world</b></p>',
  '<button onclick="save()">Save</button>',
  '<button onclick="alert(\'Thank you for your order\')">Order</button>',
  '<a href="javascript:void(0)">more</a>',
  '<script src="https://cdn.example.com/app.js"></script>',
  '<style>a { color: red; background: url("a.png") }</style>',
  '<Toolbar onPlay={() => play(1)} />',
  'a < b && c > d',
  `<p>${'long '.repeat(400)}<img src=x onerror=alert(1)></p>`,
])('ignores %s', (text) => {
  expect(matchesIn(markupFragment, text)).toEqual([]);
});
