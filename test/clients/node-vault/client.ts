import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installed } from '../support/installation.ts';
import type { Serving } from '../support/serving.ts';

type Verb = 'read' | 'write' | 'list' | 'delete' | 'help';
type Command =
  | 'status'
  | 'initialized'
  | 'health'
  | 'leader'
  | 'certLogin'
  | 'jwtLogin'
  | 'auths'
  | 'enableAuth'
  | 'disableAuth'
  | 'remount'
  | 'policies'
  | 'addPolicy'
  | 'getPolicy'
  | 'removePolicy'
  | 'renew'
  | 'revoke'
  | 'unwrap'
  | 'tokenAccessors'
  | 'tokenCreate'
  | 'tokenCreateOrphan'
  | 'tokenCreateRole'
  | 'tokenLookup'
  | 'tokenLookupAccessor'
  | 'tokenLookupSelf'
  | 'tokenRenew'
  | 'tokenRenewSelf'
  | 'tokenRevoke'
  | 'tokenRevokeAccessor'
  | 'tokenRevokeOrphan'
  | 'tokenRevokeSelf'
  | 'tokenRoles'
  | 'addTokenRole'
  | 'getTokenRole'
  | 'removeTokenRole';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
type Call = (...args: unknown[]) => Promise<any>;

/** The methods of the client that the tests use. */
export interface Client extends Record<Verb | Command, Call>, EventEmitter {
  /** Token of the next request; a login and the creation of a token replace it. */
  token: string;
  startTokenRenewal(options: { readonly ttl: number }): Promise<void>;
  stopTokenRenewal(): void;
}

type NodeVault = (options: Readonly<Record<string, unknown>>) => Client & { readonly commands: object };

const nodeVault = createRequire(join(installed.nodeVault, 'package.json'))('node-vault') as NodeVault;

/** Names of the client's commands, and of those that tests have called. */
export const commands = Object.keys(nodeVault({}).commands);
export const called = new Set<string>();

/** Creates a client with the machine's certificate. Without a token it sends none. */
export function connect(serving: Serving, token = '', options: Readonly<Record<string, unknown>> = {}): Client {
  const [ca, cert, key] = [serving.caFile, serving.clientCertificateFile, serving.clientKeyFile].map((file) =>
    readFileSync(file, 'utf8'),
  );
  const client = nodeVault({ endpoint: serving.address, token, requestOptions: { ca, cert, key }, ...options });
  return new Proxy(client, {
    get: (target, name) => {
      if (commands.includes(String(name))) called.add(String(name));
      return Reflect.get(target, name);
    },
  });
}
