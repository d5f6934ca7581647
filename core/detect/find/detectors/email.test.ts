import { describeDetectorContract } from './contract.ts';
import { email } from './email.ts';

describeDetectorContract(email, {
  finds: [
    ['Write to jo.doe@example.com today.', ['jo.doe@example.com']],
    ['<a.b+news@mail.example.co.uk>, "x_y@example.org"', ['a.b+news@mail.example.co.uk', 'x_y@example.org']],
    ['mailto:jo@example.com?subject=Hi', ['jo@example.com']],
    ['Ask ops@example.com. Then wait.', ['ops@example.com']],
    ['JO@EXAMPLE.COM;li@example.net', ['JO@EXAMPLE.COM', 'li@example.net']],
    ["o'hara@example.com", ["o'hara@example.com"]],
    ['josé@example.com und müller@bücher.example', ['josé@example.com', 'müller@bücher.example']],
    ['请联系john@example.com谢谢', ['john@example.com']],
    ['user=jo@example.com&x=1', ['jo@example.com']],
    ['jo@xn--bcher-kva.example', ['jo@xn--bcher-kva.example']],
    ['a@example.com,b@example.com', ['a@example.com', 'b@example.com']],
    ['.jo@example.com..', ['jo@example.com']],
  ],
  ignores: [
    'npm install lodash@4.17.21',
    'icon@2x.png and logo@3x.webp',
    'git clone git@github.com:acme/app.git',
    '@Component @media (max-width: 3px)',
    '@user@social.example',
    'root@localhost',
    'a@b',
    '50 @ 3.20 each',
    'jo..doe.@example.com',
    'x@-example.com',
  ],
  hostile: ['a', '@', 'a@', 'a.', 'a@a.', 'jo@example.com ', '.@', 'a@a-'],
});
