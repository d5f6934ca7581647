import { pathToFileURL } from 'node:url';
import { accountOf, WAREHOUSE_ROLES, warehouseGrants } from '#schemas/tables/rights.ts';

/** Name in the file of password digests that a role's account references with `incl`. */
export const digestName = (account: string): string => `${account}_password_sha256`;

/** deploy/image/clickhouse-users.xml: the accounts of the compose set-up, whose database is `cas`. */
export function clickhouseUsersXml(): string {
  const grants = warehouseGrants('cas');
  const accounts = WAREHOUSE_ROLES.map((role) => {
    const account = accountOf(role);
    const queries = grants[role].map((grant) => `        <query>GRANT ${grant}</query>`);
    return `    <${account}>
      <password_sha256_hex incl="${digestName(account)}"/>
      <networks>
        <ip>::/0</ip>
      </networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
${queries.join('\n')}
      </grants>
    </${account}>`;
  });
  return `<!-- ClickHouse's accounts in the compose set-up: one for each role that has the warehouse, with the rights that it needs.
     Generated from schemas/tables/rights.ts: node dist/deploy/image/clickhouse-users.js > deploy/image/clickhouse-users.xml -->
<clickhouse>
  <include_from>/run/keys/clickhouse-account.xml</include_from>
  <profiles>
    <default/>
  </profiles>
  <quotas>
    <default/>
  </quotas>
  <users>
${accounts.join('\n')}
  </users>
</clickhouse>
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(clickhouseUsersXml());
