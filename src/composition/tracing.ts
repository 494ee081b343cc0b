import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config/index.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import { counter, type Metrics } from '../server/index.ts';
import type { SpanOutcome, Tracing } from '../tracing/index.ts';
import { version } from '../version.ts';
import type { Databases } from './databases.ts';
import type { Domains } from './domains.ts';
import { readAuthorities } from './pem-files.ts';

/** Present if traces are exported. */
export const TRACE_METRICS = {
  spans: counter('trace_spans_total', 'Trace spans, by outcome: exported, failed or dropped.', ['outcome']),
} as const;

/**
 * Undefined if tracing is not configured. Then its modules are not loaded.
 * @throws ConfigError for unusable files
 */
export async function openTracing(
  { tracing: config }: Config,
  metrics: Metrics,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (config === undefined) return undefined;
  const { endpoint, sampleRatio, tokenHeader, token, authoritiesFile } = config;
  const ca = authoritiesFile && (await readAuthorities('tracing.authorities_file', authoritiesFile));
  const counts = { exported: 0, failed: 0, dropped: 0 };
  const { startTracing } = await import('../tracing/index.ts');
  metrics.total(TRACE_METRICS.spans, async () =>
    Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  return startTracing({
    ...{ endpoint, sampleRatio, tokenHeader, version },
    token: token && ('text' in token ? token.text : await tokenIn(token.file)),
    ...(ca && { tls: { ca, minVersion: 'TLSv1.2' } }),
    counted: (outcome: SpanOutcome, count: number) => {
      counts[outcome] += count;
    },
    changed: (reason) => {
      if (reason === undefined) logger.info('traces are exported again');
      else logger.warn({ reason }, 'traces cannot be exported and are lost');
    },
  });
}

/** Assigns database queries of both APIs to their request. */
export function tracedDatabases(databases: Databases, tracing: Tracing | undefined): Databases {
  if (tracing === undefined) return databases;
  const access = tracing.database(databases.access);
  const isOne = databases.workspaces === databases.access;
  return { ...databases, access, workspaces: isOne ? access : tracing.database(databases.workspaces) };
}

/** One trace for each run: its jobs, as agents report them, and its end. */
export function traceRuns(
  { workspaces: { execution } }: Pick<Domains, 'workspaces'>,
  tracing: Tracing | undefined,
): void {
  if (tracing === undefined) return;
  const { runs } = tracing;
  execution.jobTraces.parentOf = (runId, jobId) => runs.traceparentOf(runId, jobId);
  execution.jobTraces.ended = (job) => runs.jobEnded(job);
  execution.jobTraces.runEnded = (run) => runs.runEnded(run);
}

async function tokenIn(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`tracing.token_file: cannot read ${file}: ${error.message}`);
  });
  const token = secretText(text);
  if (/^[!-~]([ -~]{0,4094}[!-~])?$/.test(token)) return token;
  throw new ConfigError(`tracing.token_file: no usable token in ${file}; allowed: a token in one line`);
}
