import { writeFileSync } from 'node:fs';
import { dataFolderOf } from '../samples/data-folder.ts';
import type { TrainedFile } from '../samples/trained-file.ts';
import { trainLetterPairs } from './letter-pairs.ts';
import { trainNames } from './names/train.ts';
import { trainTextModel } from './text-model/train.ts';

const data = dataFolderOf(process.env);
if (data === null) {
  process.stderr.write(
    'Set DETECT_DATA to the folder with the tuning data; tuning/README.md says what it contains.\n',
  );
  process.exitCode = 1;
} else {
  const write = ({ file, content }: TrainedFile): void => {
    writeFileSync(file, content);
    process.stdout.write(`${file}: ${content.length} bytes\n`);
  };
  if (!process.argv.includes('--names')) {
    write(trainLetterPairs(data));
    write(trainTextModel(data));
  }
  process.stdout.write('names and addresses: five folds and the model itself take some minutes ...\n');
  const isDraft = process.argv.includes('--draft');
  const names = trainNames(data, isDraft);
  process.stdout.write(`${names.report}\n`);
  write(names);
  write(names.signs);
  if (!isDraft) write(names.heldOut);
}
