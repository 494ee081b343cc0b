import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { type AuditSinkConfig, type CollectedConfig, type Config, ConfigError } from '../config/index.ts';
import { secretText } from '../lib/secret/secret-text.ts';
import { Audit, type AuditSinkOptions, type Metrics, type ReceiverSecrets } from '../server/index.ts';
import type { Keyring } from '../storage/index.ts';
import { readAuthorities } from './pem-files.ts';

/**
 * Opens the audit sinks before anything else, so that a server that cannot audit changes nothing.
 * @throws ConfigError
 */
export async function openAudit(config: Config, keyring: Keyring, metrics: Metrics, logger: Logger): Promise<Audit> {
  const { auditFile, auditSinks = [] } = config;
  const share = config.workers ?? 1;
  const sinks = [
    ...(auditFile ? [{ type: 'file', path: auditFile } as const] : []),
    ...auditSinks.map((sink) => sinkOf(sink, share)),
  ];
  return Audit.open({ sinks, keyring, logger, metrics }).catch((error: Error) => {
    throw error instanceof ConfigError ? error : new ConfigError(`audit: ${error.message}`);
  });
}

/** @param share number of workers that split the buffer size */
function sinkOf(sink: AuditSinkConfig, share: number): AuditSinkOptions {
  if (sink.type === 'http') {
    const { collected, ...others } = sink;
    return { ...others, ...collectedOf(collected, share) };
  }
  if (sink.type !== 'syslog') return sink;
  const { collected, address, ...others } = sink;
  if (address.transport === 'unix')
    return { ...others, address, ...(collected && { isTls: false, ...collectedOf(collected, share) }) };
  const { transport, ...place } = address;
  if (collected === undefined || transport === 'udp')
    return { ...others, address: { transport: transport === 'udp' ? transport : 'tcp', ...place } };
  const isTls = transport === 'tls';
  return { ...others, address: { transport: 'tcp', ...place }, isTls, ...collectedOf(collected, share) };
}

function collectedOf(config: CollectedConfig, share: number) {
  return {
    buffer: { directory: config.directory, mostBytes: Math.ceil(config.mostBytes / share) },
    secrets: () => secretsOf(config),
  };
}

/** @throws ConfigError for unusable files */
async function secretsOf({ token, authoritiesFile, certificate }: CollectedConfig): Promise<ReceiverSecrets> {
  const text = token && 'file' in token ? secretText(await read('token_file', token.file)) : token?.text;
  if (text !== undefined && !/^[!-~]([ -~]{0,4094}[!-~])?$/.test(text))
    throw new ConfigError('audit.sinks: token_file: no usable token; allowed: a token in one line');
  const cert = certificate && (await read('certificate_file', certificate.file));
  const key = certificate && (await read('private_key_file', certificate.keyFile));
  if (cert !== undefined) refuseMisfit(cert, key);
  return {
    ...(text !== undefined && { token: text }),
    tls: {
      minVersion: 'TLSv1.2',
      ...(authoritiesFile && { ca: await readAuthorities('audit.sinks: authorities_file', authoritiesFile) }),
      ...(cert !== undefined && key !== undefined && { cert, key }),
    },
  };
}

function refuseMisfit(cert: string, key: string | undefined): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new ConfigError(
      `audit.sinks: certificate_file and private_key_file do not match: ${(error as Error).message}`,
    );
  }
}

function read(name: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError(`audit.sinks: ${name}: cannot read ${file}: ${error.message}`);
  });
}
