import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { JobFailure } from '../../ports.ts';

/** URL and credentials of a cluster. All certificates and keys are PEM. */
export interface ClusterAccess {
  readonly address: string;
  /** CA certificates for verifying the API server; null for those of Node.js. */
  readonly ca: string | null;
  /** Name in the server's certificate, if it is not the host of the URL. */
  readonly serverName: string | null;
  /** Client certificate and key for the TLS handshake. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** Returns the current token. Tokens of service accounts are rotated. */
  token(): Promise<string | null>;
}

/** Folder in a pod with the credentials of its service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Returns access with the service account of this pod. @throws JobFailure outside of a cluster */
export async function accessOfPod(
  environment: Readonly<Record<string, string | undefined>>,
  folder = SERVICE_ACCOUNT,
): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (host === '') {
    throw new JobFailure(
      'this agent does not run in a cluster: run it in a pod with a service account, or configure a kubeconfig',
    );
  }
  return {
    address: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: await readText(join(folder, 'ca.crt')),
    serverName: null,
    certificate: null,
    token: () => readText(join(folder, 'token')),
  };
}

/** Reads a credential from a file. @throws JobFailure */
export async function readText(file: string): Promise<string> {
  try {
    return secretText(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new JobFailure(`cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}
