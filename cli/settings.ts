import type { Command } from 'commander';
import { configurationPage, readSettings, type Settings } from '../platform/runtime/settings.ts';
import { print } from './output.ts';

export type SettingsReader = () => Settings;

/** The one place that reads the environment. */
export const settingsFromEnvironment: SettingsReader = () => readSettings(process.env);

/** `cas config`: checks the settings, or prints the page that lists them. */
export function configCommand(program: Command, settings: SettingsReader): void {
  program
    .command('config')
    .description('check the settings of the environment, or print the page that describes them')
    .option('--check', 'validate and leave')
    .option('--page', 'print docs/configuration.md')
    .action((options: { page?: boolean }) => {
      if (options.page === true) {
        process.stdout.write(configurationPage());
        return;
      }
      const valid = settings();
      print(`The settings are valid. Data: ${valid.dataDir}. API: http://${valid.host}:${valid.port}`);
    });
}
