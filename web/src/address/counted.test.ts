import { describe, expect, test } from '#jest';
import { datesOfBars, listAddress } from './counted.ts';

describe('the address of what a number counts', () => {
  test('has its filters and its dates', () => {
    const dates = { from: '2026-11-20T10:30:00.000Z', to: undefined };
    expect(listAddress({ list: '/signals', filters: { riskLevel: 'HIGH', model: undefined }, dates })).toBe(
      '/signals?riskLevel=HIGH&from=2026-11-20T10%3A30%3A00.000Z',
    );
    expect(listAddress({ list: '/audits' })).toBe('/audits');
  });
});

describe('the dates of a bar', () => {
  const at = (text: string): number => Date.parse(`2026-11-20T${text}Z`) / 1_000;
  const iso = (text: string): string => new Date(`2026-11-20T${text}Z`).toISOString();
  const series = { from: iso('10:30:00'), to: iso('12:15:00') };

  test('cover the whole interval within its series', () =>
    expect(datesOfBars(at('11:00:00'), at('12:00:00'), series)).toEqual({
      from: iso('11:00:00'),
      to: iso('11:59:59.999'),
    }));

  test('are cut at the ends of its series', () => {
    expect(datesOfBars(at('10:00:00'), at('11:00:00'), series)).toEqual({
      from: series.from,
      to: iso('10:59:59.999'),
    });
    expect(datesOfBars(at('12:00:00'), at('13:00:00'), series)).toEqual({
      from: iso('12:00:00'),
      to: series.to,
    });
    expect(datesOfBars(at('10:00:00'), at('13:00:00'), series)).toEqual(series);
  });
});
