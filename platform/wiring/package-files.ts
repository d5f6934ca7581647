import type { Settings } from '#platform/config/settings.ts';
import { dataFolder } from '#platform/data-folder/data-folder.ts';
import { packagesInFolder } from '#platform/packages/folder.ts';
import type { PackageFiles } from '#platform/packages/port.ts';

/** Where evidence packages lie; null: processes that share no folder make none. Throws when others may enter it. */
export function openPackageFiles(settings: Settings): PackageFiles | null {
  const own = settings.profile === 'embedded' ? dataFolder(settings.dataDir).packages : null;
  const folder = settings.packagesDir ?? own;
  return folder === null ? null : packagesInFolder({ folder, leastFreeBytes: settings.dataMinFreeBytes });
}
