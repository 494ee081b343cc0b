import type { Keyring, SealedColumn } from '../../../storage/index.ts';
import type { ClientSecrets } from './connection.ts';

/** Attributes that name the server to which secrets are sent. */
const DESTINATION = ['api-url', 'http-url'];

/** Encrypts and decrypts the secrets of connections. */
export class ConnectionSealing {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  sealSecrets(clientId: string, secrets: ClientSecrets): Uint8Array {
    return this.#seal(JSON.stringify(secrets), clientContext(clientId));
  }

  openSecrets(clientId: string, sealed: Uint8Array): ClientSecrets {
    return JSON.parse(this.#open(sealed, clientContext(clientId)));
  }

  sealToken(tokenId: string, text: string): Uint8Array {
    return this.#seal(text, tokenContext(tokenId));
  }

  openToken(tokenId: string, sealed: Uint8Array): string {
    return this.#open(sealed, tokenContext(tokenId));
  }

  sealRefreshToken(tokenId: string, text: string): Uint8Array {
    return this.#seal(text, refreshContext(tokenId));
  }

  openRefreshToken(tokenId: string, sealed: Uint8Array): string {
    return this.#open(sealed, refreshContext(tokenId));
  }

  sealSshKey(tokenId: string, text: string): Uint8Array {
    return this.#seal(text, sshKeyContext(tokenId));
  }

  sealApp<T extends object>(appId: string, secrets: T): Uint8Array {
    return this.#seal(JSON.stringify(secrets), appContext(appId));
  }

  openApp<T extends object>(appId: string, sealed: Uint8Array): T {
    return JSON.parse(this.#open(sealed, appContext(appId)));
  }

  #seal(text: string, context: string): Uint8Array {
    return this.#keyring.encrypt(Buffer.from(text), context);
  }

  #open(sealed: Uint8Array, context: string): string {
    return Buffer.from(this.#keyring.decrypt(sealed, context)).toString();
  }
}

const clientContext = (id: string) => `oauth-client/${id}`;
const tokenContext = (id: string) => `oauth-token/${id}`;
const refreshContext = (id: string) => `oauth-token-refresh/${id}`;
const sshKeyContext = (id: string) => `oauth-token-ssh-key/${id}`;
const appContext = (id: string) => `github-app/${id}`;

/** Encrypted secrets of connections. Secrets that the server sends to a provider are bound to its URLs. */
export const sealedConnections: readonly SealedColumn[] = [
  { table: 'oauth_client', key: ['id'], column: 'secrets', boundTo: DESTINATION, contextOf: clientContext },
  { table: 'oauth_token', key: ['id'], column: 'token', boundTo: DESTINATION, contextOf: tokenContext },
  { table: 'oauth_token', key: ['id'], column: 'refresh_token', boundTo: DESTINATION, contextOf: refreshContext },
  { table: 'oauth_token', key: ['id'], column: 'ssh_key', boundTo: [], contextOf: sshKeyContext },
  { table: 'github_app', key: ['id'], column: 'secrets', boundTo: [], contextOf: appContext },
];
