import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataFolderOf } from '../evaluation/data-folder.ts';
import { trainTextModel } from './text-model/train.ts';

const FOLDER = path.join('core', 'detect', 'models');

const data = dataFolderOf(process.env);
if (data === null) {
  process.stderr.write(
    'Set DETECT_DATA to the folder with the tuning data; docs/detection.md says what it holds.\n',
  );
  process.exitCode = 1;
} else {
  for (const train of [trainTextModel]) {
    const { file, content } = train(data);
    writeFileSync(path.join(FOLDER, file), content);
    process.stdout.write(`${path.join(FOLDER, file)}: ${content.length} bytes\n`);
  }
}
