import type { SettingDescription } from './setting-description.ts';
import { SETTING_GROUPS } from './setting-list.ts';

const HEAD = `# Configuration

All settings come from the environment. \`cas config --check\` validates them and leaves. With
KAFKA_BROKERS the service is distributed and needs the addresses of all four servers; with none of them it is embedded, and
some of them alone are refused. A secret may stand in a file instead, which others may not read: \`<NAME>_FILE\` names it. This page is generated:
\`node dist/bundles/cli/main.js config --page > docs/configuration.md\`.
`;

const row = (name: string, setting: SettingDescription): string => {
  const names = setting.secret === true ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``;
  return `| ${names} | ${setting.byDefault} | ${setting.description} |`;
};

/** The page docs/configuration.md, from the list of settings. */
export function configurationPage(): string {
  const tables = Object.entries(SETTING_GROUPS).map(([group, settings]) => {
    const rows = Object.entries(settings).map(([name, setting]) => row(name, setting));
    return `\n## ${group}\n\n| setting | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return HEAD + tables.join('');
}
