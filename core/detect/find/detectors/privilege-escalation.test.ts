import { describeDetectorContract } from './contract.ts';
import { privilegeEscalation } from './privilege-escalation.ts';

describeDetectorContract(privilegeEscalation, {
  finds: [
    ['$ sudo su -', ['sudo su -', 'su -']],
    ['$ chmod 777 /etc/app', ['chmod 777 /etc/app']],
    ['Grant me root access to it.', ['Grant me root access']],
    ['docker run --privileged img', ['--privileged']],
    ['"Action": "*", "Resource": "*"', ['"Action": "*"']],
    [
      'aws iam attach-user-policy --policy-arn arn:aws:iam::aws:policy/AdministratorAccess',
      ['AdministratorAccess'],
    ],
  ],
  ignores: [
    '$ sudo apt install nginx',
    'chmod 644 file.txt',
    'How do I create an admin dashboard?',
    'Give me access to the calendar.',
    'I added a user to the group chat.',
    'The root of the tree is rotten.',
    'su casa es mi casa',
  ],
  hostile: [
    'sudo ',
    'chmod 777 ',
    'grant me a b ',
    'bypass the a ',
    '"action": "',
    'usermod -',
    'i added a b c d e ',
  ],
});
