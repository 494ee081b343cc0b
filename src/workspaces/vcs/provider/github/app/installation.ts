import Type from 'typebox';
import { hasNextPage, urlOf } from '../../http/pages.ts';
import { reader } from '../../http/untrusted.ts';
import type { ProviderHttp } from '../../port.ts';
import { ProviderError } from '../../provider-error.ts';
import { linkUrl } from '../../text.ts';
import { GITHUB_HEADERS } from '../headers.ts';

/** Installation of a GitHub App in an account. */
export interface Installation {
  readonly id: number;
  /** Name of the account. */
  readonly name: string;
  readonly type: 'User' | 'Organization';
  readonly iconUrl: string;
  /** Page with its settings. */
  readonly url: string;
  readonly isSuspended: boolean;
}

const PAGE_SIZE = 100;
/** @limit installations that a user may choose from, installations -> further ones are left out */
const MAX_INSTALLATIONS = 500;
const name = Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()]));
const id = Type.Integer({ minimum: 1 });
const readInstallation = reader(
  'installation',
  Type.Object({
    id,
    html_url: Type.String(),
    target_type: name,
    suspended_at: name,
    /** An enterprise has a slug instead of a login. */
    account: Type.Union([
      Type.Object({ login: name, slug: name, type: name, avatar_url: Type.Optional(Type.String()) }),
      Type.Null(),
    ]),
  }),
);
const readList = reader(
  'list of installations',
  Type.Object({ installations: Type.Array(Type.Unknown(), { maxItems: PAGE_SIZE }) }),
);

export function toInstallation(json: unknown): Installation {
  const { id, html_url, target_type, suspended_at, account } = readInstallation(json);
  return {
    ...{ id, name: account?.login || account?.slug || String(id) },
    type: (account?.type ?? target_type) === 'User' ? 'User' : 'Organization',
    ...{ iconUrl: linkUrl(account?.avatar_url) ?? '', url: linkUrl(html_url) ?? '' },
    isSuspended: typeof suspended_at === 'string',
  };
}

/**
 * Returns the installations that a person may use.
 * @param token of the person, from a sign-in at the App
 */
export async function installationsOfUser(
  { apiUrl, http }: { readonly apiUrl: string; readonly http: ProviderHttp },
  token: string,
): Promise<Installation[]> {
  const found: Installation[] = [];
  for (let page = 1; found.length < MAX_INSTALLATIONS; page++) {
    const url = urlOf(apiUrl, '/user/installations', { per_page: PAGE_SIZE, page });
    const headers = { ...GITHUB_HEADERS, authorization: `Bearer ${token}` };
    const response = await http.send({ method: 'GET', url, headers });
    if (response.status === 404) throw new ProviderError('invalid', 'There is no API of GitHub Apps at the URL');
    found.push(...readList(response.json).installations.map(toInstallation));
    if (!hasNextPage(response.headers)) break;
  }
  return found.slice(0, MAX_INSTALLATIONS);
}
