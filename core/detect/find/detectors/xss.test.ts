import { expect, test } from '#jest';
import { describeDetectorContract, matchesIn } from './contract.ts';
import { xss } from './xss.ts';

describeDetectorContract(xss, {
  finds: [
    ['<svg onload=alert(1)>', ['<svg onload=alert(1']],
    ['name: "><script>alert(document.cookie)</script>', ['<script>alert(document.cookie']],
    ['<img src=x onerror=prompt(document.domain)>', ['<img src=x onerror=prompt(document.domain']],
    ['<a href="javascript:alert(1)">x</a>', ['href="javascript:alert(1']],
    ["q=';alert(1)//", ["';alert(1)//"]],
    ['q=%3Cscript%3Ealert(1)%3C/script%3E', ['%3Cscript%3Ealert(1']],
    ['{"bio":"<body onpageshow=\\"alert(1)\\">"}', ['<body onpageshow=\\"alert(1']],
    ['<ScRiPt>confirm(1)</ScRiPt>', ['<ScRiPt>confirm(1']],
  ],
  ignores: [
    '<button onclick="alert(\'Saved!\')">Save</button>',
    '<script src="app.js"></script>',
    '<a href="javascript:void(0)" onclick="toggle()">Menu</a>',
    '<img src="a.png" onerror="this.src=\'b.png\'">',
    'Call alert("done") when the request ends.',
    'Please confirm (by Friday) and prompt them again.',
    'What does document.cookie return?',
    'The &lt;script&gt; tag holds script.',
    'window.onload = function () { start(1); };',
  ],
  hostile: [
    '<script',
    '<svg on',
    'alert(',
    'javascript:',
    'onerror=',
    '<svg/onload=',
    '&#x6a;',
    '%3c',
    "';alert(1",
    '<a on',
  ],
});

test('a complete payload has a higher confidence than its parts', () => {
  const sure = matchesIn(xss, '"><script>alert(document.cookie)</script>')[0]!.confidence;
  const less = matchesIn(xss, '<p onclick=alert(1)>')[0]!.confidence;
  expect(sure).toBeGreaterThan(less);
});
