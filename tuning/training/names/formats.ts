import { CALENDAR_WORDS, MONTHS_ALSO_NAMES } from '#core/detect/find/names/calendar.ts';
import type { SeededRandom } from '../../samples/random.ts';
import { capitalised } from './languages/made-up-names.ts';

const list = (words: string): readonly string[] => words.trim().split(/\s+/);

const DAYS = list('Mon Tue Wed Thu Fri Sat Sun');
const FULL_DAYS = list('Monday Tuesday Wednesday Thursday Friday Saturday Sunday');
const MONTHS = list('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec');
const CALENDAR = [...CALENDAR_WORDS, ...MONTHS_ALSO_NAMES].map(capitalised);

/** HTTP and mail header fields. */
const HEADERS = list(`
Accept Accept-Charset Accept-Encoding Accept-Language Accept-Ranges Access-Control-Allow-Origin Age Allow Alt-Svc
Authorization Cache-Control Connection Content-Disposition Content-Encoding Content-Language Content-Length
Content-Security-Policy Content-Type Cookie Cross-Origin-Opener-Policy Date ETag Expect Expires Forwarded Host If-Match
If-Modified-Since If-None-Match If-Range Keep-Alive Last-Modified Link Location Origin Pragma Proxy-Authenticate Range
Referer Referrer-Policy Retry-After Sec-Fetch-Mode Server Set-Cookie Strict-Transport-Security TE Trailer
Transfer-Encoding Upgrade User-Agent Vary Via Warning WWW-Authenticate X-Content-Type-Options X-Forwarded-For
X-Forwarded-Proto X-Frame-Options X-Powered-By X-Request-Id Traceparent
Message-ID MIME-Version Received Reply-To Return-Path Subject Sender Importance In-Reply-To References List-Id
List-Unsubscribe DKIM-Signature Authentication-Results Received-SPF ARC-Seal X-Mailer Thread-Topic Delivered-To
Precedence Content-Transfer-Encoding X-Spam-Status Resent-Date Fixes Closes Change-Id Bug See-also Cherry-picked-from
`);
const LEVELS = list(
  'INFO WARN ERROR DEBUG TRACE FATAL NOTICE WARNING CRITICAL Info Warn Error Debug Warning info warn error debug SEVERE VERBOSE',
);
const ENDS_OF_CLASSES = list(
  'Service Controller Manager Handler Factory Repository Exception Error Client Server Config Builder Provider Listener Filter Task Worker Test Impl Adapter Scheduler',
);
const TECHNOLOGY = list(`
Pipeline Boot Code Studio Server Cloud Build Desktop Engine Framework Compiler Runner Actions Dashboard Query Stream
Streams Connect Registry Hub Lab Labs Search Cache Gateway Mesh Proxy Agent Operator Cluster Console Workspace Platform
Suite Storage Functions Insights Monitor Vault Manager Explorer Designer Editor Toolkit Library Plugin Client Driver
Analytics Commerce Teams Notes Drive Docs Sheets Forms Calendar Mail Assistant Copilot Script Shell Batch Data Flow
`);
const MAKERS = list(`
Apache Microsoft Google Amazon Azure Visual Elastic Spring Jenkins Jupyter Docker Oracle Adobe Atlassian Android Eclipse
IntelliJ Grafana Prometheus Hashicorp Mongo Redis Rabbit Kafka Airflow Spark Hadoop Hive Flink Cassandra Gradle Maven Ruby
Julia Ada Pascal Swift Kotlin Rust Unity Unreal Salesforce Tableau Looker Snowflake Databricks Confluent Stripe Twilio
Zoom Slack Notion Figma Jira Trello Asana Sentry Datadog Splunk Kibana Logstash Helm Argo Istio Envoy Consul Nomad Terraform
Travis Circle Bamboo Selenium Cypress Jest Mocha Karma Jasmine Hudson Sonar Nexus Phoenix Elixir Scala Django Flask Laravel
Symfony Rails Angular Vue Svelte Ember Tomcat Jetty Glassfish Wildfly Netty Quarkus Micronaut Hibernate Jackson Mockito
`);

const two = (value: number): string => String(value).padStart(2, '0');

/** The time as written in logs, headers or commits. */
function timeStamp({ below, pick, string }: SeededRandom): string {
  const [year, month, day] = [1995 + below(40), 1 + below(12), 1 + below(28)];
  const time = `${two(below(24))}:${two(below(60))}:${two(below(60))}`;
  const fraction = string('0123456789', 3);
  const [weekday, name] = [pick(DAYS), MONTHS[month - 1]!];
  const zone = pick(['+0000', '+0100', '-0800', '+0530']);
  return pick([
    `${weekday}, ${two(day)} ${name} ${year} ${time} GMT`,
    `${weekday}, ${day} ${name} ${year} ${time} ${zone}`,
    `${weekday} ${name} ${day} ${time} ${year} ${zone}`,
    `${weekday} ${name} ${String(day).padStart(2)} ${time} ${year}`,
    `${weekday} ${day} ${name} ${time} UTC ${year}`,
    `${name} ${String(day).padStart(2)} ${time}`,
    `${two(day)}/${name}/${year}:${time} ${zone}`,
    `${two(day)}-${name}-${year} ${time}.${fraction}`,
    `${year}-${two(month)}-${two(day)} ${time},${fraction}`,
    `${year}-${two(month)}-${two(day)}T${time}.${fraction}Z`,
    `${year}/${two(month)}/${two(day)} ${time}`,
    `[${year}-${two(month)}-${two(day)} ${time}]`,
    `${pick(FULL_DAYS)}, ${day} ${name} ${year}`,
    time,
  ]);
}

/** A product name of two or three words: "Jenkins Pipeline". */
function product({ pick, below }: SeededRandom, word: () => string): string {
  const kind = below(100);
  if (kind < 45) return `${pick(MAKERS)} ${pick(TECHNOLOGY)}`;
  if (kind < 60) return `${capitalised(word())} ${pick(TECHNOLOGY)}`;
  if (kind < 75) return `${pick(MAKERS)} ${pick(TECHNOLOGY)} ${pick(TECHNOLOGY)}`;
  if (kind < 90) return pick(MAKERS);
  return `${pick(MAKERS)} ${capitalised(word())}`;
}

/** The value for a format's slot; null for slots of prose. */
export function formatFiller(slot: string, random: SeededRandom, word: () => string): string | null {
  switch (slot) {
    case 'Z':
      return timeStamp(random);
    case 'B':
      return random.below(2) === 0 ? random.pick([...DAYS, ...FULL_DAYS, ...MONTHS]) : random.pick(CALENDAR);
    case 'K':
      return random.pick(HEADERS);
    case 'V':
      return random.pick(LEVELS);
    case 'Q':
      return product(random, word);
    case 'J':
      return (
        capitalised(word()) +
        (random.below(2) === 0 ? capitalised(word()) : '') +
        random.pick(ENDS_OF_CLASSES)
      );
    default:
      return null;
  }
}
