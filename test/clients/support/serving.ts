import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, tokensIn } from '../../support/command.ts';
import { writeServerCertificate } from '../../support/machine/server-certificate.ts';
import { createRoot } from '../../support/pki.ts';

/** `lockkeeper serve` on loopback, with everything that a client needs to connect and log in. Paths are absolute. */
export interface Serving {
  /** Contains the configuration, the keyring, and `data`. */
  readonly folder: string;
  /** `https://127.0.0.1:40123` */
  readonly address: string;
  readonly rootToken: string;
  /** Token of the first user of the workspace API. */
  readonly userToken: string;
  /** Certificate of the CA that issued the server's certificate. */
  readonly caFile: string;
  /** Certificate of the CA that issued the client's certificate; no role uses it yet. */
  readonly clientCaFile: string;
  /** Client certificate with the common name `machine-1`. */
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
  /**
   * Kills the server, as a power cut does, and starts it again.
   * @returns its new URL
   */
  restart(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Creates and starts a new server as an operator does: a configuration, `init`, `serve`.
 * @param storage `storage` of the configuration, in YAML
 * @param more other settings of the configuration, in YAML
 * @param environment more variables of its process
 */
export async function startServing(
  storage = '{ type: sqlite, directory: data }',
  more = '',
  environment: Record<string, string> = {},
): Promise<Serving> {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-clients-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const authority = createRoot({ subject: 'Server CA' });
  const clientAuthority = createRoot({ subject: 'Client CA' });
  const client = clientAuthority.issue({ subject: 'machine-1', dns: ['machine-1.example.com'] });
  writeServerCertificate(authority, folder);
  const config = file('lockkeeper.yaml', configuration(storage) + (/^audit:/m.test(more) ? '' : FILE) + more);
  const init = await new Command(['init', '--config', config]).ended();
  const { root: rootToken, user: userToken } = tokensIn(init.stdout);
  if (!rootToken || !userToken) throw new Error(`lockkeeper init ended with ${init.code}: ${init.stderr}`);
  let command: Command;
  const serve = async (): Promise<string> => {
    command = new Command(['serve', '--config', config], environment);
    const [address = ''] = await command.ready();
    return address;
  };
  return {
    folder,
    address: await serve(),
    rootToken,
    userToken,
    caFile: file('ca.pem', authority.pem),
    clientCaFile: file('client-ca.pem', clientAuthority.pem),
    clientCertificateFile: file('client.pem', client.pem),
    clientKeyFile: file('client.key', client.keyPem),
    restart: async () => {
      await command.kill();
      return serve();
    },
    stop: async () => {
      command.signal('SIGTERM');
      await command.ended();
      rmSync(folder, { recursive: true });
    },
  };
}

const configuration = (storage: string) => `listeners:
  - address: 127.0.0.1:0
    services: [access, workspaces]
    tls: { certificate_file: server.pem, private_key_file: server.key }
storage: ${storage}
keyring_file: keyring.json
limits: { lame_duck: 0s }
`;

const FILE = 'audit: { file: audit.log }\n';
