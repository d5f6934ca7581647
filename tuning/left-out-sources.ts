/**
 * Sources of ordinary texts on which nothing is tuned: no model learns from them, and no threshold is set with them.
 * The documentation's false-alarm figures come only from these.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  // Everyday English.
  'prometheus-eval/prometheus-eval (BiGGen-Bench)',
  'rosewang2008/bridge',
  'GSA/digitalgov.gov',
  'LukeSmithxyz/based.cooking',
  'artsy/README',
  'ethereum/pm',
  // Developers: questions, manuals, READMEs, logs, settings, code.
  'sudheerj/reactjs-interview-questions',
  'simonw/til',
  'fluent/fluent-bit',
  'helm/charts',
  'ohmyzsh/ohmyzsh',
  'Kong/kong',
  'curl/curl',
  'playframework/playframework',
  'tidyverse/dplyr',
  'nlohmann/json',
  'tokio-rs/tokio',
  'vuejs/core',
  'sinatra/sinatra',
  'kubernetes/enhancements',
  'microsoft/botbuilder-tools',
  'IBM/clai',
  'docker/awesome-compose',
  'jenkinsci/warnings-ng-plugin',
  'pallets/flask',
  'aws-samples/serverless-patterns',
  'datacharmer/test_db',
  'lerocha/chinook-database',
  // Medicine and law.
  'wyim/aci-bench',
  'basecamp/policies',
  'github/site-policy',
  // Other languages.
  'reactjs/de.react.dev',
  'reactjs/es.react.dev',
  'reactjs/ja.react.dev',
  'thu-coai/CrossWOZ',
  'gunthercox/chatterbot-corpus',
  // Texts about attacks.
  'OWASP/CheatSheetSeries',
  'OWASP/www-project-ai-testing-guide',
  'NVIDIA/NeMo-Guardrails',
  'trailofbits/publications',
  'microsoft/Security-101',
  'mitre-atlas/atlas-data',
]);

export const isLeftOut = (source: string): boolean => LEFT_OUT.has(source);
