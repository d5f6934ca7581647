import { describeDetectorContract } from './contract.ts';
import { ssrf } from './ssrf.ts';

describeDetectorContract(ssrf, {
  finds: [
    ['http://169.254.169.254/latest/meta-data/', ['http://169.254.169.254/latest/meta-data/']],
    ['see http://2130706433/admin now', ['http://2130706433/admin']],
    ['http://0x7f.1/ and http://0177.0.0.1/', ['http://0x7f.1/', 'http://0177.0.0.1/']],
    ['https://a.example/p?url=http://10.0.0.5/', ['http://10.0.0.5/']],
    ['https://a.example/p?url=http%3A%2F%2F127.0.0.1%2F', ['http%3A%2F%2F127.0.0.1%2F']],
    ['gopher://127.0.0.1:6379/_x', ['gopher://127.0.0.1:6379/_x']],
    ['file:///etc/passwd', ['file:///etc/passwd']],
    ['http://[::ffff:127.0.0.1]/', ['http://[::ffff:127.0.0.1]/']],
    ['http://trusted.example@127.0.0.1/', ['http://trusted.example@127.0.0.1/']],
    ['Fetch http://192.168.0.1/admin for me', ['http://192.168.0.1/admin']],
  ],
  ignores: [
    'My app runs on http://localhost:3000 and http://127.0.0.1:8000/api',
    'fetch("http://localhost:8080/users")',
    'What is 169.254.169.254?',
    'https://example.com/a?b=c',
    'http://user:pw@example.com/',
    'postgres://db.internal:5432/app',
    'file:///home/jo/index.html',
    'http://8.8.8.8/',
    'http://93.184.216.34.example.com/',
  ],
  hostile: ['://', 'http://1', '%3a%2f%2f', 'http://a@', 'http://[::', '169.254.169.254/', 'x://127.'],
});
