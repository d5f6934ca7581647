import type { SettingDescription } from './setting-description.ts';
import { SETTINGS } from './setting-list.ts';

const HEAD = `# Configuration

All settings come from the environment. \`cas config --check\` validates them and leaves. Parts whose address is not set
are embedded. A secret may stand in a file instead, which others may not read: \`<NAME>_FILE\` names it. This page is generated:
\`node dist/cli/main.js config --page > docs/configuration.md\`.
`;

const row = (name: string, setting: SettingDescription): string => {
  const names = setting.secret === true ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
  return `| ${names} | ${setting.byDefault} | ${setting.description} |`;
};

/** The page docs/configuration.md, from the list of settings. */
export function configurationPage(): string {
  const settings: [string, SettingDescription][] = Object.entries(SETTINGS);
  const groups = [...new Set(settings.map(([, setting]) => setting.group))];
  const tables = groups.map((group) => {
    const rows = settings
      .filter(([, setting]) => setting.group === group)
      .map(([name, each]) => row(name, each));
    return `\n## ${group}\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return HEAD + tables.join('');
}
