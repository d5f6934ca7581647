import { expect, test } from '#jest';
import { policyIn } from './policy-wish.ts';

test('a form becomes a policy with the rules of the remaining rows', () => {
  const form = new FormData();
  const typed = {
    name: ' No leaks ',
    description: '',
    framework: 'SOC2',
    enforcement: 'ENFORCE',
    active: 'on',
    'code-0': 'EMAIL',
    'code-2': 'SECRET_LEAK',
    'minRiskLevel-2': 'CRITICAL',
    'maxCount-2': '3',
    'windowDays-2': '7',
    'action-2': 'ALERT',
  };
  for (const [name, value] of Object.entries(typed)) form.append(name, value);
  form.append('sandboxSlugs', 'a');
  form.append('sandboxSlugs', 'b');
  expect(policyIn(form, [2])).toEqual({
    name: 'No leaks',
    description: null,
    framework: 'SOC2',
    sandboxSlugs: ['a', 'b'],
    rules: [{ code: 'SECRET_LEAK', minRiskLevel: 'CRITICAL', maxCount: 3, windowDays: 7, action: 'ALERT' }],
    enforcement: 'ENFORCE',
    active: true,
  });
  expect(policyIn(new FormData(), [])).toMatchObject({ active: false, rules: [], sandboxSlugs: [] });
});
