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

/** The destinations of the audit log. While every sink fails, the server refuses requests. */
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
      'no audit log is written',
      'set audit.file or audit.sinks: without an audit log you cannot find out who did what',
    );
  }
  const asked = all.map(({ name, sink }) => ({ name, look: (over: AbortSignal) => sinkFinding(sink, over) }));
  return inParallel(asked, signal);
}

function sinkFinding(sink: AuditSinkConfig, signal: AbortSignal): Promise<Finding> | Finding {
  if (sink.type === 'file') return fileFinding(sink.path, signal);
  if (sink.type === 'http') return collectorFinding(originOf(sink.url), signal);
  if (sink.type !== 'syslog') return skipped(`of type ${sink.type}: only the running server can check it`);
  const { address } = sink;
  if (address.transport === 'udp')
    return skipped('over UDP: delivery cannot be checked', `${address.host}:${address.port}`);
  const target = address.transport === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
  return collectorFinding(target, signal);
}

/**
 * Opens the file like the server does, without a change. If the file does not exist yet, the check writes to its
 * folder.
 */
async function fileFinding(path: string, signal: AbortSignal): Promise<Finding> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK).catch((error) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    await file?.close();
    // An existing file can be opened even if the disk is full.
    if (file === undefined || (await stat(path)).isFile()) await writeLatency(dirname(path), signal);
    return success('entries can be appended', path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failure(
      `no entry can be appended: ${code}`,
      code === 'ENOSPC'
        ? 'free space on the disk'
        : "give the server's user access to the file and its folder, or correct the path",
      path,
    );
  }
}

function originOf(url: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

/** Checks only that the collector accepts connections, not what it does with audit entries. */
async function collectorFinding(
  target: { readonly path: string } | { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Finding> {
  const where = 'path' in target ? target.path : `${target.host}:${target.port}`;
  const socket = connect({ ...target, signal });
  const { promise, resolve } = Promise.withResolvers<Finding>();
  socket.once('connect', () => resolve(success('the collector accepts connections', where)));
  socket.once('error', ({ code }: NodeJS.ErrnoException) =>
    resolve(failure(`the collector cannot be reached: ${code}`, 'start it, or correct the URL', where)),
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
  if (files.length === 0) return skipped('no sink is a file or has a buffer');
  return Promise.all(files.map(async ({ name, folder }) => ({ name, ...(await spaceFinding(folder).catch(notMade)) })));
}

/**
 * The first start of the server creates the folder of a buffer, so a missing folder says nothing about the other sinks.
 */
function notMade(error: unknown): Finding {
  if (error instanceof NotAvailable) return skipped(error.message);
  throw error;
}
