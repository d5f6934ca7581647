import { describeDetectorContract } from './contract.ts';
import { irreversibleActions } from './irreversible-actions.ts';

describeDetectorContract(irreversibleActions, {
  finds: [
    ['$ rm -rf /var/lib/data', ['rm -rf /var/lib/data', 'rm -rf /var/lib/data']],
    ['Executing: DROP DATABASE production;', ['DROP DATABASE production']],
    ['DELETE FROM users;', ['DELETE FROM users;']],
    ['$ git push --force origin main', ['git push --force origin main']],
    ['terraform destroy -auto-approve', ['terraform destroy -auto-approve']],
    ['{"name": "delete_user", "arguments": {"id": 42}}', ['delete_user']],
  ],
  ignores: [
    'RUN apt-get update && apt-get install -y curl && rm -rf /var/lib/apt/lists/*',
    'DELETE FROM users WHERE id = 7;',
    'rm -rf node_modules',
    'UPDATE t SET a = 1 WHERE id = 2;',
    'I deleted the duplicate line.',
    'def delete_user(user_id): pass',
    '{"name": "delete_user", "description": "Deletes a user", "parameters": {"type": "object"}}',
    'Drop the ball and run.',
    'git push --force-with-lease',
    'Format the date as ISO.',
  ],
  hostile: [
    'rm -r -f ',
    'rm -',
    'delete from a ',
    'update a set b = ',
    'kubectl delete ',
    'git push a b c d ',
    '"name": "delete_a", "arguments": ',
    'drop table ',
    'i have deleted all ',
  ],
});
