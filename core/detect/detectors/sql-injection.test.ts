import { describeDetectorContract } from './contract.ts';
import { sqlInjection } from './sql-injection.ts';

describeDetectorContract(sqlInjection, {
  finds: [
    ["The user name is admin' OR '1'='1", ["' OR '1'='1"]],
    ["/items?id=5' UNION SELECT name, password FROM users--", ["' UNION SELECT name, password FROM users--"]],
    ["name: x'; DROP TABLE students; --", ["'; DROP TABLE students; --"]],
    ["id=1' AND SLEEP(5)#", ["' AND SLEEP(5)#"]],
    ['{"id":"1 OR 1=1--"}', ['1 OR 1=1--']],
    ['q=1%27%20or%20%271%27%3D%271', ['%27%20or%20%271%27%3D%271']],
  ],
  ignores: [
    "SELECT * FROM users WHERE name = 'Anna' OR name = 'Ben'",
    'SELECT city FROM a UNION SELECT city FROM b ORDER BY city;',
    'What is the difference between UNION and UNION ALL?',
    'DELETE FROM logs; DELETE FROM traces; -- clean up',
    'Select the rows you need, and 1 or 2 more.',
    'time.sleep(5) # wait',
    "It's his or hers; don't ask -- really.",
    'x = a or b # default',
    'SELECT * FROM t WHERE 1=1 AND a = 2',
  ],
  hostile: [
    "' or ",
    "' or '1'='1",
    ' union select ',
    '%27',
    "'; drop ",
    '((((',
    "'--",
    ' and 1',
    'select(',
    '/*!',
    "' or 1 c ",
  ],
});
