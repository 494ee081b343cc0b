import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPrograms } from './programs.ts';

/** Folder for the scripts of this test run (test/support/with-postgres.ts). */
const FOLDER = process.env.LOCKKEEPER_TEST_POSTGRES_SCRIPTS;
const TEMPLATE = 'lockkeeper_template';

/** Script of a schema that the migrations have created. Its statements contain the name of the schema. */
export interface SchemaScript {
  /** Creates the tables, with their first rows. */
  readonly all: string;
  /** Inserts the first rows. */
  readonly rows: string;
}

/**
 * Returns the script for a schema: the migrations send hundreds of statements one by one. The first process that needs
 * the script makes it from a schema that was migrated.
 * @param name name of the set of tables
 * @param make creates a migrated schema and returns its name
 */
export async function scriptFor(
  url: string,
  schema: string,
  name: string,
  make: () => Promise<string>,
): Promise<SchemaScript> {
  const script = (await storedScript(name)) ?? (await makeScript(url, name, await make()));
  const all = script.replaceAll(TEMPLATE, schema);
  const rows = all.split('\n').filter((line) => line.startsWith('INSERT INTO ') || line.includes('.setval('));
  return { all, rows: rows.join('\n') };
}

const fileOf = (name: string) => FOLDER && join(FOLDER, `${name}.sql`);
const scripts = new Map<string, Promise<string | undefined>>();

function storedScript(name: string): Promise<string | undefined> {
  const file = fileOf(name);
  const script =
    scripts.get(name) ?? (file ? readFile(file, 'utf8').catch(() => undefined) : Promise.resolve(undefined));
  scripts.set(name, script);
  return script;
}

async function makeScript(url: string, name: string, from: string): Promise<string> {
  const program = join(findPrograms('pg_dump'), 'pg_dump');
  const options = ['--inserts', '--no-owner', '--no-privileges', `--schema=${from}`, `--dbname=${url}`];
  const { stdout } = await promisify(execFile)(program, options, { maxBuffer: 16_777_216 });
  const lines = stdout.split('\n').filter((line) => !line.startsWith('\\') && !line.startsWith('CREATE SCHEMA'));
  const script = lines.join('\n').replaceAll(from, TEMPLATE);
  scripts.set(name, Promise.resolve(script));
  const file = fileOf(name);
  if (file) {
    // Other processes read either nothing or the whole script.
    await writeFile(`${file}.${process.pid}`, script);
    await rename(`${file}.${process.pid}`, file);
  }
  return script;
}
