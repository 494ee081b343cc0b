import Type from 'typebox';
import { urlOf } from '../../http/pages.ts';
import { reader } from '../../http/untrusted.ts';
import type { ProviderHttp } from '../../port.ts';
import { ProviderError } from '../../provider-error.ts';
import { GITHUB_HEADERS } from '../headers.ts';

/** Addresses of this server for a new App. */
export interface ManifestRequest {
  readonly name: string;
  /** Page of this server. */
  readonly serverUrl: string;
  /** Receiver of the App's deliveries; null: the server cannot be reached from GitHub and polls. */
  readonly webhookUrl: string | null;
  /** GitHub sends the browser there with a code, once the App is made. */
  readonly redirectUrl: string;
  /** GitHub sends the browser there after a sign-in of a person. */
  readonly callbackUrl: string;
  /** GitHub sends the browser there after an installation. */
  readonly setupUrl: string;
}

/** A new App, with its secrets. */
export interface CreatedApp {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string | null;
  /** PEM of its RSA key. */
  readonly privateKey: string;
}

const text = Type.String({ minLength: 1, maxLength: 1024 });
const readApp = reader(
  'GitHub App',
  Type.Object({
    ...{ id: Type.Integer({ minimum: 1 }), slug: text, name: text, client_id: text, client_secret: text },
    webhook_secret: Type.Optional(Type.Union([text, Type.Null()])),
    pem: Type.String({ minLength: 1, maxLength: 16_384 }),
  }),
);
/** @limit name of a new GitHub App, characters -> the name is truncated */
const MAX_NAME = 34;

/** Returns the manifest of a new App: everything that the server uses, and nothing more. */
export function appManifest({
  name,
  serverUrl,
  webhookUrl,
  ...urls
}: ManifestRequest): Readonly<Record<string, unknown>> {
  return {
    name: name.slice(0, MAX_NAME).toWellFormed().trim(),
    url: serverUrl,
    ...(webhookUrl !== null && { hook_attributes: { url: webhookUrl, active: true } }),
    redirect_url: urls.redirectUrl,
    callback_urls: [urls.callbackUrl],
    setup_url: urls.setupUrl,
    setup_on_update: true,
    request_oauth_on_install: false,
    public: false,
    default_permissions: {
      ...{ checks: 'write', contents: 'read', metadata: 'read', pull_requests: 'write', statuses: 'write' },
    },
    // GitHub sends events of the installation without being asked.
    ...(webhookUrl !== null && { default_events: ['push', 'pull_request', 'repository'] }),
  };
}

/**
 * Returns the URL to which a browser sends the manifest, as the form field `manifest`.
 * @param account organization at GitHub that will own the App; null: the person
 */
export function manifestFormUrl(httpUrl: string, account: string | null, state: string): string {
  const path =
    account === null ? '/settings/apps/new' : `/organizations/${encodeURIComponent(account)}/settings/apps/new`;
  return urlOf(httpUrl, path, { state });
}

/**
 * Exchanges the code of a new App for its secrets, which works once.
 * @throws ProviderError `refused` if the code was used or is more than an hour old
 */
export async function convertManifest(
  { apiUrl, http }: { readonly apiUrl: string; readonly http: ProviderHttp },
  code: string,
): Promise<CreatedApp> {
  if (!/^[\w-]{1,200}$/.test(code)) throw refused();
  const url = urlOf(apiUrl, `/app-manifests/${code}/conversions`);
  const { status, json } = await http.send({ method: 'POST', url, headers: GITHUB_HEADERS });
  if (status === 404) throw refused();
  const { id, slug, name, client_id, client_secret, webhook_secret, pem } = readApp(json);
  return {
    ...{ id: String(id), slug, name, clientId: client_id, clientSecret: client_secret },
    ...{ webhookSecret: webhook_secret ?? null, privateKey: pem },
  };
}

function refused(): ProviderError {
  return new ProviderError(
    'refused',
    'GitHub does not know the code of the new App. Start again: a code works once, for an hour',
  );
}
