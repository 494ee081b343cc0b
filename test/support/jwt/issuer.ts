import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, type JWK, SignJWT } from 'jose';

export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicPem: string;
}

export function signingKey(kid: string, alg: 'RS256' | 'ES256' | 'EdDSA' = 'ES256', bits = 2048): SigningKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: bits })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
  return { kid, alg, privateKey: pair.privateKey, publicPem };
}

/** Issuer of JWTs for tests, on loopback over plain HTTP. */
export interface Issuer {
  /** Issuer URL. */
  readonly url: string;
  readonly jwksUrl: string;
  /** Published keys; the issuer signs with the first. */
  keys: SigningKey[];
  /** Requested paths. */
  readonly asked: string[];
  /** Response that replaces its own. */
  answer: ((path: string, response: ServerResponse) => void) | undefined;
  sign(claims: Record<string, unknown>, options?: SignOptions): Promise<string>;
  stop(): Promise<void>;
}

export interface SignOptions {
  readonly key?: SigningKey;
  readonly header?: Record<string, unknown>;
}

export async function startIssuer(): Promise<Issuer> {
  const server = createServer(async ({ url: path = '' }, response) => {
    issuer.asked.push(path);
    if (issuer.answer) return issuer.answer(path, response);
    if (path === '/keys') return void response.end(JSON.stringify({ keys: await published(issuer.keys) }));
    if (path === '/.well-known/openid-configuration') {
      return void response.end(JSON.stringify({ issuer: url, jwks_uri: issuer.jwksUrl }));
    }
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Issuer = {
    ...{ url, jwksUrl: `${url}/keys`, keys: [signingKey('one')], asked: [], answer: undefined },
    sign: (claims, { key = issuer.keys[0] as SigningKey, header } = {}) => signClaims(claims, key, header),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

export const signClaims = (
  claims: Record<string, unknown>,
  { alg, kid, privateKey }: SigningKey,
  header: SignOptions['header'] = {},
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);

/** Signs any text, JSON or not. */
export const signText = (text: string, { alg, kid, privateKey }: SigningKey): Promise<string> =>
  new CompactSign(Buffer.from(text)).setProtectedHeader({ alg, kid }).sign(privateKey);

async function published(keys: readonly SigningKey[]): Promise<JWK[]> {
  return Promise.all(
    keys.map(async ({ kid, alg, publicPem }) => {
      return { ...(await exportJWK(createPublicKey(publicPem))), kid, alg, use: 'sig' };
    }),
  );
}
