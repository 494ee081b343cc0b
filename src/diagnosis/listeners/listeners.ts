import { readFile } from 'node:fs/promises';
import type { ListenerConfig } from '../../config/index.ts';
import { type Finding, failure, type NamedFinding, skipped, success, warning } from '../../lib/finding/finding.ts';
import type { Subject } from '../model/check.ts';
import type { Site } from '../model/site.ts';
import { certificateFinding } from './certificate.ts';

/** The listeners for clients. */
export const listeners: Subject = {
  name: 'listeners',
  checks: [
    { name: 'tls', run: tls, isCheap: true },
    { name: 'answering', run: answering },
  ],
};

const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::', '*']);
const LOCAL = /^(127\.|::1$|localhost$)/;

function tls({ config, clock }: Site): Promise<NamedFinding[]> {
  return Promise.all(
    config.listeners.map(async (listener) => ({
      name: `${listener.host}:${listener.port}`,
      ...(await tlsFinding(listener, config.workspaces?.address, clock())),
    })),
  );
}

async function tlsFinding(listener: ListenerConfig, address: string | undefined, now: number): Promise<Finding> {
  const { tls: files, host } = listener;
  if (files === undefined) return plainFinding(host);
  const { certificateFile, privateKeyFile } = files;
  try {
    const [certificate, privateKey] = await Promise.all(
      [certificateFile, privateKeyFile].map((path) => readFile(path, 'utf8')),
    );
    const hosts = hostsOf(listener, address);
    const finding = certificateFinding({ certificate: certificate ?? '', privateKey: privateKey ?? '', hosts }, now);
    return { ...finding, detail: [finding.detail, certificateFile].filter(Boolean).join('; ') };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return failure(`a file cannot be read: ${code}`, 'correct the path, or give this user access to it', message);
  }
}

/**
 * Returns the addresses that clients use: that of the listener, if it is a specific one, and the host of the configured
 * public URL.
 */
function hostsOf({ host, services }: ListenerConfig, address: string | undefined): string[] {
  const told = address !== undefined && services.includes('workspaces') ? [new URL(address).hostname] : [];
  return [...(ANY.has(host) ? [] : [host]), ...told];
}

function plainFinding(host: string): Finding {
  if (LOCAL.test(host)) return success('plain HTTP, on this machine only');
  return warning(
    'plain HTTP',
    'allowed only behind a proxy on an isolated network: otherwise configure tls for the listener',
  );
}

/** Checks that a server runs and reports that it is ready. */
async function answering(site: Site): Promise<Finding | NamedFinding[]> {
  const seen = await site.listeners();
  if (seen.length === 0) return skipped('no server answers at the configured listeners');
  return seen.map(({ address, ready, failing }) => ({
    name: address,
    ...(ready
      ? success('ready')
      : failure(
          `not ready: ${failing.join(', ') || 'no reason given'}`,
          'see the findings about these below; `accepting` means that the server is stopping',
        )),
  }));
}
