import { describeDetectorContract } from './contract.ts';
import { fakeCitation } from './fake-citation.ts';

describeDetectorContract(fakeCitation, {
  finds: [
    ['ISBN 978-3-16-148410-1 is wrong.', ['ISBN 978-3-16-148410-1']],
    ['See doi:10.12/abc for it.', ['doi:10.12/abc']],
    ['arXiv:2313.12345 shows this.', ['arXiv:2313.12345']],
    ['Miller et al. (2047) agree.', ['et al. (2047']],
    ['Source: https://www.example.com/study', ['example.com/study']],
    ['See pp. 90-12 there.', ['pp. 90-12']],
  ],
  ignores: [
    'ISBN 978-3-16-148410-0 is right.',
    'ISBN 0-306-40615-2',
    'doi:10.1038/nphys1170',
    'arXiv:1706.03762 and arXiv:0704.0001',
    'Vaswani et al. (2017)',
    'Write to me at https://example.com/form',
    'Smith, Rivers of the North, second edition.',
    'pp. 1123-29',
    'The DOI: a short history',
    'pp. 12-90',
    'ISBN: unknown',
  ],
  hostile: [
    'isbn 1234567890',
    'isbn 1-',
    'doi:10.',
    'arxiv:1313.',
    'et al. 2',
    'source: example.com/',
    'pp. 9-1',
    'pp. ',
  ],
});
