/** OCSP responders in this process on free ports of loopback, and a client for them. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createGuardedFetch } from '../../src/outbound/guarded-fetch.ts';
import { TIMING } from '../../src/revocation/ocsp/responders.ts';
import {
  createOcspClient,
  type OcspClient,
  type OcspSettings,
  type RevocationVerdict,
} from '../../src/revocation/ocsp-client.ts';
import { Certificate } from '../../src/x509/index.ts';
import { mintOcspResponse, type OcspResponseOptions } from './ocsp.ts';
import { createRoot } from './pki.ts';

export const issuer = createRoot({ subject: 'Issuing CA' });
export const leaf = issuer.issue({ subject: 'device' });
/** CA with the name of the issuer and another key. */
export const forger = createRoot({ subject: 'Issuing CA' });

/** A client with strict checks and without retries. */
export const DEFAULTS: OcspSettings = {
  serversOverride: [],
  responderCertificates: [],
  failOpen: false,
  thisUpdateMaxAge: 0,
  maxRetries: 0,
  queryAllServers: false,
};

/** Reaction of a responder to a request: bytes with status 200, a number as the status, `hang` for silence. */
export type Reaction = Buffer | number | 'hang' | 'reset';
export type React = (request: IncomingMessage) => Reaction | Promise<Reaction>;

export interface TestResponder {
  readonly url: string;
  /** `GET /path` of every request so far. */
  readonly requests: string[];
  readonly types: (string | undefined)[];
  stop(): Promise<void>;
}

const responders: TestResponder[] = [];

export async function stopResponders(): Promise<void> {
  await Promise.all(responders.splice(0).map((responder) => responder.stop()));
}

/** Certificate of the responder, which then uses HTTPS. */
export async function startResponder(react: React, tls?: { pem: string; keyPem: string }): Promise<TestResponder> {
  const requests: string[] = [];
  const types: (string | undefined)[] = [];
  const listener: RequestListener = async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    types.push(request.headers['content-type']);
    send(await react(request), response);
  };
  const server = tls ? createTlsServer({ cert: tls.pem, key: tls.keyPem }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const responder = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    types,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  responders.push(responder);
  return responder;
}

function send(reaction: Reaction, response: ServerResponse): void {
  if (reaction === 'reset') response.destroy();
  else if (typeof reaction === 'number') response.writeHead(reaction).end();
  else if (reaction !== 'hang') response.end(reaction);
}

export const mint = (options: Partial<OcspResponseOptions> = {}) =>
  mintOcspResponse({ issuer, certificate: leaf, ...options });
export const saying = (options: Partial<OcspResponseOptions> = {}): React => {
  const response = mint(options);
  return () => response;
};

/** Returns the URL of a responder that does not listen. */
export async function deadUrl(): Promise<string> {
  const responder = await startResponder(() => 500);
  await responder.stop();
  return responder.url;
}

export interface TestClient extends Pick<OcspClient, 'resize' | 'clear' | 'stats'> {
  /** Default: about `leaf`, which `issuer` issued. */
  check(
    settings: Partial<OcspSettings>,
    certificate?: { readonly der: Buffer },
    by?: { readonly der: Buffer } | null,
  ): Promise<RevocationVerdict>;
  /** Moves its clock, which stands still otherwise. Milliseconds. */
  advance(milliseconds: number): void;
}

export interface TestClientOptions {
  readonly cacheSize?: number;
  /** Timeout in milliseconds: short for a hanging responder, else the production value. */
  readonly total?: number;
  readonly perTry?: number;
}

/** A client that may connect to loopback, and retries quickly. */
export function createTestClient(options: TestClientOptions = {}): TestClient {
  const { cacheSize = 100, total = TIMING.total, perTry = TIMING.perTry } = options;
  const now = { value: Date.now() };
  const client = createOcspClient({
    fetch: createGuardedFetch({ deniedBlocks: [] }),
    clock: () => now.value,
    cacheSize,
    timing: { total, perTry, firstPause: 1, longestPause: 4 },
  });
  return {
    ...client,
    check: async (settings, certificate = leaf, by = issuer) => {
      const above = by === null ? undefined : Certificate.parse(by.der);
      const verdicts = await client.check(Certificate.parse(certificate.der), above, { ...DEFAULTS, ...settings });
      return verdicts[0] as RevocationVerdict;
    },
    advance: (milliseconds) => {
      now.value += milliseconds;
    },
  };
}
