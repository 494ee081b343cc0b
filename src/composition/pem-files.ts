import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError, type ListenerConfig } from '../config/index.ts';
import { certificatesFault } from '../lib/pem/certificates-fault.ts';
import { bytesKind } from '../lib/pem/text-kind.ts';
import type { TlsOptions } from '../server/index.ts';

/**
 * Reads certificate and private key of a listener.
 * @param key of the settings that name the files: `listeners[0].tls`
 * @throws ConfigError if one cannot be read, or they do not match
 */
export async function readListenerTls(
  key: string,
  { certificateFile, privateKeyFile, minVersion }: NonNullable<ListenerConfig['tls']>,
): Promise<TlsOptions> {
  const tls = {
    certificate: await readPem(`${key}.certificate_file`, certificateFile),
    privateKey: await readPem(`${key}.private_key_file`, privateKeyFile),
    minVersion,
  };
  try {
    createSecureContext({ cert: tls.certificate, key: tls.privateKey });
  } catch (error) {
    throw new ConfigError(`${key}: the certificate and the private key do not match: ${(error as Error).message}`);
  }
  return tls;
}

/**
 * Reads the certificates in a file.
 * @param key of the setting that names it
 * @throws ConfigError if there is none, or one cannot be read
 */
export async function readAuthorities(key: string, file: string): Promise<string[]> {
  const pem = await readPem(key, file);
  const fault = certificatesFault(pem);
  if (fault !== undefined) throw new ConfigError(`${key}: the certificates in ${file} cannot be read: ${fault}`);
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
  try {
    createSecureContext({ ca: certificates });
  } catch (error) {
    throw new ConfigError(`${key}: a certificate in ${file} cannot be read: ${(error as Error).message}`);
  }
  return certificates;
}

async function readPem(key: string, file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw new ConfigError(`${key}: cannot read ${file}: ${error.message}`);
  });
  const kind = bytesKind(bytes);
  if (kind !== undefined) throw new ConfigError(`${key}: ${file} is not PEM; it is ${kind}`);
  return bytes.toString();
}
