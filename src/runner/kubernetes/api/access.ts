import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { secretText } from '../../../lib/secret/secret-text.ts';
import { JobFailure } from '../../ports.ts';

/** How a cluster is reached, and who asks. PEM where it is not said. */
export interface ClusterAccess {
  readonly address: string;
  /** Whom the API server is trusted by; null for those that Node.js trusts. */
  readonly ca: string | null;
  /** What its certificate is for, where that is not the host of its address. */
  readonly serverName: string | null;
  /** What is presented in the handshake. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** The token of the moment: those of service accounts are exchanged while we work. */
  token(): Promise<string | null>;
}

/** Where a pod finds what its service account may do. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** As the service account of the pod that we are in. @throws JobFailure outside of a cluster */
export async function accessOfPod(
  environment: Readonly<Record<string, string | undefined>>,
  folder = SERVICE_ACCOUNT,
): Promise<ClusterAccess> {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (host === '') {
    throw new JobFailure('this agent is in no cluster: run it in a pod with a service account, or name a kubeconfig');
  }
  return {
    address: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    ca: await readText(join(folder, 'ca.crt')),
    serverName: null,
    certificate: null,
    token: () => readText(join(folder, 'token')),
  };
}

/** A credential from a file. @throws JobFailure */
export async function readText(file: string): Promise<string> {
  try {
    return secretText(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new JobFailure(`cannot read ${file}: ${(cause as Error).message}`, { cause });
  }
}
