import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Report } from '../../migration/index.ts';
import {
  type ApiName,
  authorizedTarget,
  type ConnectionOptions,
  setting,
  withConnection,
} from '../connection/connection.ts';
import { readSource } from '../connection/pem-source.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT, type ExitCode } from '../errors/exit-codes.ts';
import { printable } from '../output/printable.ts';

export type Migration = typeof import('../../migration/index.ts');

/** Options of all imports. */
export interface ImportOptions extends ConnectionOptions {
  readonly apply?: true;
  readonly report?: string;
}

/** Options of a source with an API. */
export interface SourceOptions {
  readonly sourceAddress?: string;
  readonly sourceCaCert?: string;
}

export function withImport(command: Command): Command {
  return withConnection(
    command
      .option('--apply', 'make the changes (default: print the plan)')
      .option('--report <file>', 'also write the report to a file, as JSON'),
  );
}

const EXIT_CODES: Readonly<Record<string, ExitCode>> = {
  invalid: EXIT.usage,
  refused: EXIT.refused,
  'not-found': EXIT.notFound,
  unavailable: EXIT.unavailable,
};

/** Runs a migration. Its modules are loaded on demand. @throws CommandError */
export async function migrating<T>(work: (migration: Migration) => Promise<T>): Promise<T> {
  const migration = await import('../../migration/index.ts');
  try {
    return await work(migration);
  } catch (error) {
    if (error instanceof migration.MigrationError) {
      throw new CommandError(printable(error.message), EXIT_CODES[error.kind] ?? EXIT.failed);
    }
    if (error instanceof migration.Refused) throw new CommandError(printable(error.message), EXIT.failed);
    throw error;
  }
}

/** Connects to the server that the migration writes. @throws CommandError without a token */
export const targetOf = ({ Connection }: Migration, options: ConnectionOptions, api: ApiName) =>
  new Connection(authorizedTarget(options, api));

/** Returns the URL of the source. @throws CommandError without one */
export function sourceAddressOf({ sourceAddress }: SourceOptions, byDefault?: string): string {
  const address = sourceAddress ?? setting('LOCKKEEPER_SOURCE_ADDR') ?? byDefault;
  if (address !== undefined) return address;
  throw usageError('The address of the source is missing. Set --source-address or LOCKKEEPER_SOURCE_ADDR');
}

/**
 * Connects to the server that the migration reads.
 * @param variables environment variables with its token
 * @throws CommandError without a token
 */
export function sourceOf(
  { Connection }: Migration,
  address: string,
  { sourceCaCert }: SourceOptions,
  variables: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
) {
  const token = setting('LOCKKEEPER_SOURCE_TOKEN', ...variables);
  if (token === undefined) {
    throw new CommandError(`there is no token for ${address}: set LOCKKEEPER_SOURCE_TOKEN`, EXIT.refused);
  }
  const caFile = sourceCaCert ?? setting('LOCKKEEPER_SOURCE_CACERT');
  const ca = caFile === undefined ? undefined : readSource(caFile, 'the CA certificate of the source');
  return new Connection({ address, token, ca, headers });
}

export const withSource = (command: Command, byDefault = ''): Command =>
  command
    .option('--source-address <url>', `URL of the source (default: LOCKKEEPER_SOURCE_ADDR${byDefault})`)
    .option(
      '--source-ca-cert <file>',
      'CA certificates (PEM) that verify the source (default: LOCKKEEPER_SOURCE_CACERT)',
    );

/** Prints a line about a step to standard error. */
export const onProgress = (line: string): void => void process.stderr.write(`${oneLine(line)}\n`);

/**
 * Prints the report, and writes it to the file of `--report`.
 * @throws CommandError if the import was applied, and something was refused
 */
export async function printReport(
  { reportLines, isDone }: Migration,
  report: Report,
  rulesOf: Parameters<typeof reportLines>[1],
  { report: file, apply }: ImportOptions,
): Promise<void> {
  for (const line of reportLines(report, rulesOf)) process.stdout.write(`${oneLine(line)}\n`);
  if (!apply && !isDone(report)) process.stdout.write('This is a plan. Add --apply to make these changes.\n');
  if (file !== undefined) writeReport(file, report);
  const { length } = report.refused;
  if (!apply || length === 0) return;
  throw new CommandError(
    `${length} ${length === 1 ? 'thing was' : 'things were'} refused; see "Refused" in the report. ` +
      'Correct the causes, then run the import again',
  );
}

function writeReport(file: string, report: Report): void {
  const { isApplied: applied, source, target, changes, states, notTaken, refused, toFillIn } = report;
  const text = JSON.stringify({ applied, source, target, changes, states, notTaken, refused, toFillIn }, null, 2);
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
  } catch (error) {
    throw usageError(`cannot write the report: ${(error as Error).message}`);
  }
}

/** Names from a server may contain line breaks. */
const oneLine = (text: string): string => printable(text).replaceAll(/[\n\t]/g, ' ');
