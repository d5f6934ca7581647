import { describe, expect, test } from '#jest';
import {
  firstKeyword,
  hasSeveralStatements,
  insertHeader,
  maskLiterals,
  outputFormat,
  placeholders,
  splitStatements,
} from './sql-text.ts';

describe('lexical analysis of SQL', () => {
  test('hides quotes and comments and keeps positions', () => {
    const sql = `SELECT 'it''s; \\' {a:Int}', "x;y", \`b;\` -- c;\n, /* ;\n */ 1`;
    const masked = maskLiterals(sql);
    expect(masked).toHaveLength(sql.length);
    expect(masked).not.toMatch(/[;{]/);
    expect(masked.indexOf(', ')).toBe(sql.indexOf(`, "x`));
  });

  test('an unclosed quote hides the rest', () => {
    expect(maskLiterals("SELECT 'a; b")).not.toContain(';');
  });

  test.each([
    ['-- note\n /* x */ select 1', 'SELECT'],
    ['(SELECT 1)', '('],
    ['  ', ''],
    ['WITH x AS (SELECT 1) SELECT 2', 'WITH'],
  ])('first word of %j', (sql, word) => expect(firstKeyword(maskLiterals(sql))).toBe(word));

  test.each([
    ['SELECT 1; SELECT 2', true],
    ['SELECT 1;', false],
    ['SELECT 1; -- done', false],
    ["SELECT ';x'", false],
  ])('several statements in %j', (sql, several) =>
    expect(hasSeveralStatements(maskLiterals(sql))).toBe(several),
  );

  test('finds placeholders with their types, not those in quotes', () => {
    const sql = `SELECT {a:String}, '{b:String}', { ids : Array(DateTime64(3, 'UTC')) }, map('x', 1)`;
    expect(placeholders(sql, maskLiterals(sql))).toEqual([
      { name: 'a', type: 'String' },
      { name: 'ids', type: "Array(DateTime64(3, 'UTC'))" },
    ]);
  });

  test('finds the format at the end', () => {
    expect(outputFormat('SELECT 1 FORMAT CSV')).toBe('CSV');
    expect(outputFormat('SELECT 1\nFORMAT JSONEachRow ;\n')).toBe('JSONEachRow');
    expect(outputFormat('SELECT 1 FORMAT CSV SETTINGS max_threads = 1')).toBe('CSV');
    expect(outputFormat('SELECT format FROM t')).toBeNull();
  });

  test('reads the head of an insert', () => {
    expect(insertHeader('INSERT INTO db.t (`index`, b) FORMAT JSONEachRow')).toEqual({
      table: 'db.t',
      columns: ['index', 'b'],
      format: 'JSONEachRow',
    });
    expect(insertHeader('INSERT INTO t\nFORMAT CSV')).toEqual({ table: 't', columns: null, format: 'CSV' });
    expect(insertHeader('INSERT INTO t SELECT 1')).toBeNull();
    expect(insertHeader('INSERT INTO t VALUES (1)')).toBeNull();
  });

  test('splits a script at the semicolons that end lines', () => {
    const script = `-- head;\nSELECT ';\n';\n\nSELECT 2 ; SELECT 3;  \n-- tail\n`;
    expect(splitStatements(script)).toEqual(["-- head;\nSELECT ';\n'", 'SELECT 2 ; SELECT 3']);
  });
});
