import { describe, expect, test } from '#jest';
import { growsInProportion } from '../../testing/growth.ts';
import { namesAndAddresses } from '../detectors/names-and-addresses.ts';

const matches = (text: string): readonly string[] =>
  namesAndAddresses
    .searchWhole(text, 'prompt')
    .map(({ entity, start, end }) => `${entity} ${text.slice(start, end)}`);

const FINDS: readonly (readonly [string, readonly string[]])[] = [
  ['会议由王建国主持。', ['PERSON 王建国']],
  ['昨天李晓雯没有来上班。', ['PERSON 李晓雯']],
  ['来週、藤原直樹が東京に行きます。', ['PERSON 藤原直樹']],
  ['어제 박지훈에게 전화했습니다.', ['PERSON 박지훈']],
  ['住址：北京市海淀区中关村大街27号。', ['ADDRESS 北京市海淀区中关村大街27号']],
  ['他住在上海市浦东新区世纪大道100号12楼。', ['ADDRESS 上海市浦东新区世纪大道100号12楼']],
  ['住所は東京都新宿区西新宿2-8-1です。', ['ADDRESS 東京都新宿区西新宿2-8-1']],
  ['〒530-0001 大阪府大阪市北区梅田3丁目1番3号', ['ADDRESS 〒530-0001 大阪府大阪市北区梅田3丁目1番3号']],
  ['주소는 서울특별시 강남구 테헤란로 152입니다.', ['ADDRESS 서울특별시 강남구 테헤란로 152']],
];

const IGNORES: readonly string[] = [
  '王府井附近有3家餐厅。',
  '高兴地宣布：2024年产量增长5%。',
  '第3章 第2条の規定により、市町村は計画を定める。',
  '東京都の人口は1400万人です。',
  '요금은 3000원이고 하지만 할인은 없습니다.',
  '広告会社の売上は10億円です。',
];

describe('East Asian names and addresses in running text', () => {
  test.each(FINDS.map(([text, values]) => ({ text, values })))('finds $values', ({ text, values }) => {
    expect(matches(text)).toEqual(values);
  });

  test.each(IGNORES.map((text) => ({ text })))('ignores $text', ({ text }) => {
    expect(matches(text)).toEqual([]);
  });

  test.each(
    ['王伟', '东京市1', '区路1号', '서울시 강남로 1 ', '藤原直樹1', '娘の'].map((piece) => ({ piece })),
  )('takes time linear in the length: $piece', ({ piece }) => {
    const inProportion = growsInProportion((length) =>
      matches(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
    );
    expect(inProportion).toBe(true);
  });
});
