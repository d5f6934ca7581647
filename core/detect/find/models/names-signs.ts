/** Learned by `npm run -w tuning train:detect`; not to be changed by hand. What each sign of a find weighs, in thousandths. */
export const NAMES_SIGNS: Readonly<Record<'PERSON' | 'ADDRESS', readonly number[]>> = {
  PERSON: [-979, -1228, 2390, 1067, 248, -327, -1739, -1317, -1825, 1215, 1846, -1135, 396, 1659, 1435, 455, -176, 100, 196, 409, -894, -461, 741, -457, 310],
  ADDRESS: [-192, -348, 824, 1251, -841, -15, 1202, 0, 85, 404, 432, 432, -536, 366, -374, 347, -187, 263, 0, 864, 0, 0, 0, 995, -445],
};
