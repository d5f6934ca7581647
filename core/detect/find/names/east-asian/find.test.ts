import { describe, expect, test } from '#jest';
import { detect } from '../../../detect.ts';
import { growsInProportion } from '../../../testing/growth.ts';
import { namesAndAddresses } from '../../detectors/names-and-addresses.ts';

const namesIn = (text: string): readonly string[] =>
  namesAndAddresses.searchWhole(text, 'prompt').map(({ start, end }) => text.slice(start, end));

const FINDS: readonly (readonly [string, readonly string[]])[] = [
  ['田中太郎', ['田中太郎']],
  ['山田花子さんから電話がありました。', ['山田花子']],
  ['佐々木様、お世話になっております。', ['佐々木']],
  ['佐藤健一です。よろしくお願いします。', ['佐藤健一']],
  ['昨日、小林先生と高橋部長に会いました。', ['小林', '高橋']],
  ['担当者：中村美咲\n電話：未定', ['中村美咲']],
  ['山本はなこさんが来ました。', ['山本はなこ']],
  ['ジョン・スミスさんが来ました。', ['ジョン・スミス']],
  ['姓名：王小明', ['王小明']],
  ['我叫李伟，住在北京。', ['李伟']],
  ['请联系张丽华女士。', ['张丽华']],
  ['欧阳修先生来了', ['欧阳修']],
  ['今天陈老师没来。', ['陈']],
  ['김철수 씨가 전화했습니다.', ['김철수']],
  ['이름: 박지민', ['박지민']],
  ['저는 최유진입니다.', ['최유진']],
  ['남궁민수 과장님께 전달했습니다.', ['남궁민수']],
];

const IGNORES: readonly string[] = [
  '今日は天気がいいですね。東京に行きます。',
  'お客様、皆様、神様、仕様、同様に',
  '患者さんとお医者さん',
  '石川県と千葉市と山口組',
  '担当：営業部',
  '担任財政部長',
  '东京大学的研究人员在北京工作。',
  '老师和同学都来了。',
  '我叫了一辆车',
  '대통령이 발표했다. 고객님 안녕하세요.',
  '민주당 의원이 말했다.',
  '이용자님께 안내드립니다.',
];

describe('names in Chinese, Japanese and Korean', () => {
  test.each(FINDS.map(([text, names]) => ({ text, names })))('finds $names in $text', ({ text, names }) => {
    expect(namesIn(text)).toEqual(names);
  });

  test.each(FINDS.map(([text, names]) => ({ text, names })))('detects $names in $text', ({ text, names }) => {
    const persons = detect([{ source: 'prompt', text }]).filter(({ entity }) => entity === 'PERSON');
    expect(persons.map(({ start, end }) => text.slice(start, end))).toEqual(names);
  });

  test.each(IGNORES.map((text) => ({ text })))('ignores $text', ({ text }) => {
    expect(namesIn(text)).toEqual([]);
  });

  test.each(['田中', '王', '様', '我叫', '김', 'ア・'].map((piece) => ({ piece })))(
    'takes time linear in the length: $piece',
    ({ piece }) => {
      const inProportion = growsInProportion((length) =>
        namesIn(piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
      );
      expect(inProportion).toBe(true);
    },
  );
});
