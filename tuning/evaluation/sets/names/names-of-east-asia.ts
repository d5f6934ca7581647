/** Names, addresses and sentences of a language, written for measuring: none of them is in the training. */
export interface OfLanguage {
  /** Divided by semicolons: given name, a bar, surname. */
  readonly people: string;
  /** Divided by semicolons. */
  readonly addresses: string;
  /** {P} full name, {F} given name, {L} surname, {A} address. */
  readonly texts: readonly string[];
}

/** Chinese, Japanese and Korean. */
export const EAST_ASIAN: Readonly<Record<string, OfLanguage>> = {
  ja: {
    people:
      '直樹|藤原; 美咲|大塚; 翔太|久保田; 由美子|松浦; 健太郎|三浦; さくら|石井; 隆|長谷川; 彩花|西村; 一郎|鈴木; 花|原',
    addresses:
      '東京都新宿区西新宿2-8-1; 〒530-0001 大阪府大阪市北区梅田3丁目1番3号; 神奈川県横浜市中区山下町279; 福岡県福岡市博多区博多駅前2-1-1',
    texts: [
      '{P}は今日オフィスにいますか。',
      '担当の{P}が金曜日までにご連絡いたします。',
      '請求書を{L}様あてに{A}へ送りました。',
      '娘の{F}に学校の証明書が必要です。',
      '{P}の解約通知を書いてください。住所は{A}です。',
      '昨日{P}と会議をしました。',
      '予約は{P}、電話番号は後で送ります。',
      'パスポートの申請にはどんな書類が必要ですか。',
      '政府は個人情報の保護に関する法律を改正した。',
      '小麦粉を使わないりんごのケーキの作り方',
    ],
  },
  zh: {
    people: '建国|张; 晓雯|李; 志强|王; 雅婷|陈; 浩然|刘; 丽|赵; 子涵|孙; 伟|周; 婷婷|黄; 宇轩|欧阳',
    addresses:
      '北京市海淀区中关村大街27号; 上海市浦东新区世纪大道100号12楼; 广东省深圳市南山区科技园路8号; 浙江省杭州市西湖区文三路478号3单元502室',
    texts: [
      '请问{P}今天在办公室吗？',
      '我们的同事{P}会在周五之前联系您。',
      '发票已寄给{L}先生，地址是{A}。',
      '请帮{P}写一封辞职信，住址：{A}。',
      '昨天{P}和我开了会。',
      '病人{P}已经出院了。',
      '订单由{P}签收。',
      '申请护照需要哪些材料？',
      '国务院通过了个人信息保护法。',
      '怎么做不放糖的苹果蛋糕？',
    ],
  },
  ko: {
    people: '민준|김; 서연|이; 지훈|박; 수빈|최; 도윤|정; 예은|강; 현우|조; 미영|윤',
    addresses:
      '서울특별시 강남구 테헤란로 152; 부산광역시 해운대구 센텀중앙로 79, 101동 1203호; 경기도 성남시 분당구 판교역로 235',
    texts: [
      '{P} 씨가 오늘 사무실에 있나요?',
      '담당자 {P}이 금요일까지 연락드리겠습니다.',
      '청구서를 {P}님께 보냈습니다. 주소는 {A}입니다.',
      '어제 {P}과 회의를 했습니다.',
      '환자 {P}은 어제 퇴원했습니다.',
      '여권을 신청하려면 어떤 서류가 필요합니까?',
      '정부는 개인정보 보호법을 개정했다.',
    ],
  },
};
