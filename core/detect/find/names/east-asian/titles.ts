const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Written directly after a name. */
export const TITLES = words(`
さん さま くん ちゃん 様 氏 殿 先生 教授 准教授 博士 部長 課長 係長 社長 会長 専務 常務 主任 店長 院長 監督 選手 議員 大臣 知事 首相
容疑者 被告 記者 弁護士 看護師 医師
女士 小姐 老师 老師 医生 醫生 經理 经理 同志 同学 同學 总监 律师 律師 太太 护士 護士 警官 主席 总统 總統 部长 局长 教练
`);

/** Before these, one character is more often part of a word: 神様, 彼氏. */
export const TITLES_OF_ONE = words('様 氏 殿');

/** Labels of a field with a name. */
export const LABELS = words(`
氏名 お名前 名前 担当 担当者 担当者名 姓名 名字 宛名 差出人 送信者 受信者 申請者 申込者 契約者 署名 患者 患者名 顧客名 会員名 受取人 著者 作者 責任者
联系人 聯絡人 聯繫人 收件人 寄件人 发件人 收货人 患者姓名 客户 客户姓名 客戶 负责人 負責人 申请人 经办人 签名 持卡人 员工 学生
이름 성명 성함 담당자 담당 고객명 고객 환자 환자명 작성자 신청자 수신자 발신자 수령인 예금주 대표 대표자 보호자 직원
`);
export const LONGEST_LABEL = 5;

export const POLITE_TITLES = words('先生 女士 小姐 老师 老師 さん 様');

/** "My name is" and the like. */
export const INTRODUCTIONS = words('我叫 名叫 叫做 我是 字叫 字是 本人 叫作');

/** What may follow a name in a Chinese sentence without a mark. */
export const BEHIND_INTRODUCED: ReadonlySet<string> = new Set(
  '住来来今是在和也年男女从從想要有的我这這现現毕畢就',
);

/** The last character of many Japanese given names, and of few other words. */
export const LAST_OF_GIVEN: ReadonlySet<string> = new Set(
  '子美郎男夫雄彦介助一二三香奈恵江代輝樹也哉斗翔真希菜華莉里絵衣佳加織穂乃葵翼蓮湊太健誠剛隆浩修徹進茂豊司史志治吾蔵久幸光弘裕広哲康義孝雅智宏秀謙亮駿聡悟翼優愛咲結凛陽菜紗緒沙耶紀世士仁伸俊昭朗邦則宣範晃敏勝恭貴崇将寛輔純典洋正',
);

/** After a Korean name, with or without a blank. */
export const KOREAN_TITLES = words(`
씨 님 선생님 선생 교수 교수님 부장 부장님 과장 과장님 대리 대리님 사장 사장님 대표 대표님 팀장 팀장님 박사 의원 기자 감독 선수 원장 실장
차장 변호사 간호사 장관 대통령 총리
`);
/** Endings of words and particles. */
export const KOREAN_ENDINGS = words(`
입니다 이라고 라고 이에요 예요 은 는 이 가 을 를 의 에게 께 께서 와 과 도 이고 이며 씨 님 입니다만 이다
`);
export const LONGEST_KOREAN = 4;
