import { writeFileSync } from 'node:fs';
import { openDataFolder } from '../../evaluation/data-folder.ts';
import { trainNames } from './train.ts';

const t = trainNames(openDataFolder(process.env.DETECT_DATA!));
writeFileSync(`/work/wt-b/${t.file}`, t.content);
writeFileSync(`/work/wt-b/${t.heldOut.file}`, t.heldOut.content);
process.stdout.write(`${t.report}\n`);
