import { constants, open, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { AuditSinkConfig } from '../../config/index.ts';
import { type Finding, failure, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import { spaceFinding } from '../disk/space.ts';
import { writeLatency } from '../disk/write-latency.ts';
import { NotAvailable, type Subject } from '../model/check.ts';
import { inParallel } from '../model/in-parallel.ts';
import type { Site } from '../model/site.ts';

/** Where the record of requests goes. While no sink takes it, nothing is answered. */
export const audit: Subject = {
  name: 'audit',
  checks: [
    { name: 'sinks', run: sinks },
    { name: 'space', run: space, isCheap: true },
  ],
};

interface NamedSink {
  readonly name: string;
  readonly sink: AuditSinkConfig;
}

function sinksOf({ config: { auditFile, auditSinks = [] } }: Site): NamedSink[] {
  return [
    ...(auditFile ? [{ name: 'audit.file', sink: { type: 'file', path: auditFile } as const }] : []),
    ...auditSinks.map((sink, index) => ({ name: `audit.sinks[${index}]`, sink })),
  ];
}

async function sinks(site: Site, signal: AbortSignal): Promise<Finding | NamedFinding[]> {
  const all = sinksOf(site);
  if (all.length === 0) {
    return warning(
      'nothing is recorded',
      'set audit.file or audit.sinks: without a record nobody can tell who did what',
    );
  }
  const asked = all.map(({ name, sink }) => ({ name, look: (over: AbortSignal) => sinkFinding(sink, over) }));
  return inParallel(asked, signal);
}

function sinkFinding(sink: AuditSinkConfig, signal: AbortSignal): Promise<Finding> | Finding {
  if (sink.type === 'file') return fileFinding(sink.path, signal);
  if (sink.type === 'http') return collectorFinding(originOf(sink.url), signal);
  if (sink.type !== 'syslog') return skipped(`of type ${sink.type}: only the server knows`);
  const { address } = sink;
  if (address.transport === 'udp')
    return skipped('over UDP: nobody says whether it arrives', `${address.host}:${address.port}`);
  const target = address.transport === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
  return collectorFinding(target, signal);
}

/** Opened as the server opens it, and left as it is; where it is not there yet, its folder is written to. */
async function fileFinding(path: string, signal: AbortSignal): Promise<Finding> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK).catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    await file?.close();
    // An old file can be opened on a disk that is full.
    if (file === undefined || (await stat(path)).isFile()) await writeLatency(dirname(path), signal);
    return success('lines can be appended', path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `no line can be appended: ${code}`,
      code === 'ENOSPC'
        ? 'make room on the disk'
        : 'give the user of the server the file and its folder, or correct the path',
      path,
    );
  }
}

function originOf(url: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Somebody listens; what becomes of lines there is not ours to see. */
async function collectorFinding(
  target: { readonly path: string } | { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Finding> {
  const where = 'path' in target ? target.path : `${target.host}:${target.port}`;
  const socket = connect({ ...target, signal });
  const { promise, resolve } = Promise.withResolvers<Finding>();
  socket.once('connect', () => resolve(success('the collector takes connections', where)));
  socket.once('error', ({ code }: NodeJS.ErrnoException) =>
    resolve(failure(`the collector cannot be reached: ${code}`, 'start it, or correct the address', where)),
  );
  return promise.finally(() => socket.destroy());
}

async function space(site: Site): Promise<Finding | NamedFinding[]> {
  const files = sinksOf(site).flatMap(({ name, sink }) =>
    'collected' in sink && sink.collected
      ? [{ name, folder: sink.collected.directory }]
      : sink.type === 'file'
        ? [{ name, folder: dirname(sink.path) }]
        : [],
  );
  if (files.length === 0) return skipped('no sink is a file, or has a buffer');
  return Promise.all(files.map(async ({ name, folder }) => ({ name, ...(await spaceFinding(folder).catch(notMade)) })));
}

/** The folder of a buffer is made by the first start: that says nothing of the other sinks. */
function notMade(error: unknown): Finding {
  if (error instanceof NotAvailable) return skipped(error.message);
  throw error;
}
