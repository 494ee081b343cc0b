import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { expectDone } from '../client/answer-error.ts';
import { createClient } from '../client/client.ts';
import type { Target } from '../connection/connection.ts';
import type { KeptToken } from '../credentials/token-cache.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { openBrowser } from '../process/browser.ts';

/** @limit time for the sign-in in the browser, ms -> the command fails */
const LONGEST_SIGN_IN = 600_000;
const HOST = '127.0.0.1';

/** Login service of the server, as `tofu login` uses it. */
interface LoginService {
  readonly client: string;
  readonly authz: string;
  readonly token: string;
  readonly ports: readonly [first: number, last: number];
}

/**
 * Signs a person in through the browser: OAuth 2.0 for native applications (RFC 8252), with PKCE (RFC 7636).
 * @throws CommandError if the server offers no login, or the person does not complete it
 */
export async function logInByBrowser(target: Target): Promise<KeptToken> {
  const service = await loginServiceOf(target);
  const state = randomBytes(16).toString('base64url');
  const verifier = randomBytes(48).toString('base64url');
  const { server, port } = await listen(service.ports);
  try {
    const redirectUri = `http://${HOST}:${port}/login`;
    const query = new URLSearchParams({
      ...{ client_id: service.client, response_type: 'code', redirect_uri: redirectUri, state },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const url = `${service.authz}?${query}`;
    const isOpen = await openBrowser(url);
    process.stderr.write(
      `${isOpen ? 'Sign in in the browser' : 'Open this address in a browser on this machine'}:\n${url}\n`,
    );
    const code = await codeFrom(server, state);
    return await redeem(target, service, { code, redirectUri, verifier });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function loginServiceOf(target: Target): Promise<LoginService> {
  const { body } = expectDone(await createClient(target)('GET', '/.well-known/terraform.json'));
  const service = (body as { readonly 'login.v1'?: LoginService } | undefined)?.['login.v1'];
  if (!service)
    throw new CommandError(`${target.address} offers no login by browser; use --cert, or set LOCKKEEPER_TOKEN`);
  return { ...service, authz: ownUrl(service.authz, target), token: ownUrl(service.token, target) };
}

/** Resolves a URL of the login service. @throws CommandError for another server: the browser would open its page */
function ownUrl(path: string, { address }: Target): string {
  const [url, own] = [URL.parse(path, address), URL.parse(address)];
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (url && isWeb && url.origin === own?.origin) return url.href;
  throw new CommandError(`${address} names a login page at another server; check --address, or use --cert`);
}

async function listen([first, last]: LoginService['ports']): Promise<{ server: Server; port: number }> {
  for (let port = first; port <= last; port++) {
    const server = createServer();
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, HOST, () => resolve(true));
    });
    if (isOurs) return { server, port };
  }
  throw new CommandError(`the ports ${first} to ${last} of this machine are in use; end a program that uses one`);
}

/** Waits for the browser to bring the code. Requests with another state are not from this login, and change nothing. */
async function codeFrom(server: Server, state: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => reject(new CommandError('the sign-in was not completed within ten minutes', EXIT.refused)),
    LONGEST_SIGN_IN,
  );
  server.on('request', ({ url = '/' }, response) => {
    // Any page on this machine can send a request, also one that is no URL.
    const request = URL.parse(url, `http://${HOST}`);
    const given = request?.searchParams ?? new URLSearchParams();
    const [code, error] = [given.get('code'), given.get('error')];
    const isExpected = request?.pathname === '/login' && isSame(given.get('state') ?? '', state);
    const text = isExpected ? 'You are signed in. Return to the terminal.' : 'This page belongs to no login.';
    response.writeHead(isExpected ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(`${error === null ? text : 'The login was refused. Return to the terminal.'}\n`);
    if (!isExpected) return;
    if (code) resolve(code);
    else reject(new CommandError(`the server refused the login: ${error ?? 'it sent no code'}`, EXIT.refused));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Digests have equal lengths, whatever the texts contain. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

async function redeem(
  target: Target,
  service: LoginService,
  { code, redirectUri, verifier }: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
): Promise<KeptToken> {
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', client_id: service.client, code },
    ...{ redirect_uri: redirectUri, code_verifier: verifier },
  });
  const { status, body } = await createClient(target)('POST', new URL(service.token).pathname, form);
  const {
    access_token: token,
    expires_in: seconds,
    error_description: why,
  } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (status !== 200 || typeof token !== 'string' || typeof seconds !== 'number') {
    throw new CommandError(`the server refused the login: ${String(why ?? status)}`, EXIT.refused);
  }
  const ttl = seconds * 1000;
  return { token, ttl, expiresAt: Date.now() + ttl, renewable: false };
}
