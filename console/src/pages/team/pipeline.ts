import type { Resources } from '../../api/client.ts';
import { claimLines, claimsIn, whyNoClaims } from '../../components/claims/claims.ts';
import { linesIn } from '../../components/role/fields.ts';
import * as texts from './texts.ts';

export type PipelineIdentity = Resources['pipeline-identities'];

/** Issuers of the CI systems that the console knows by name. */
export const ISSUERS = {
  github: { name: 'GitHub Actions', issuer: 'https://token.actions.githubusercontent.com' },
  gitlab: { name: 'GitLab', issuer: 'https://gitlab.com' },
} as const;
export type Kind = keyof typeof ISSUERS;

/** Example claims. Ids do not change when a repository is renamed. */
const CLAIMS: Readonly<Record<Kind, string>> = {
  github: 'repository_id = "123456789"\nref = refs/heads/main',
  gitlab: 'project_id = "123456789"\nref = main\nref_protected = "true"',
};
export const exampleOf = (issuer: string): string => CLAIMS[kindOf(issuer) ?? 'github'];

/** Returns the CI system of an issuer; undefined if the console does not know it. */
export function kindOf(issuer: string): Kind | undefined {
  if (issuer === ISSUERS.github.issuer) return 'github';
  return /^https:\/\/gitlab\./.test(issuer) ? 'gitlab' : undefined;
}

/** Values of the form. */
export interface Filled {
  readonly description: string;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audiences: string;
  readonly claims: string;
  readonly ttl: string;
}

/** Returns the initial values for a new identity; the audience is this server. */
export const fresh = (address: string): Filled => ({
  ...{ description: '', issuer: ISSUERS.github.issuer, jwksUrl: '', audiences: address, claims: '', ttl: '900' },
});

export const filledOf = ({ attributes }: PipelineIdentity): Filled => ({
  description: attributes.description,
  issuer: attributes.issuer,
  jwksUrl: attributes['jwks-url'] ?? '',
  audiences: attributes.audiences.join('\n'),
  claims: claimsText(attributes),
  ttl: String(attributes['token-ttl']),
});

/** Returns one line for each claim; a single value has no brackets. */
export const claimsText = ({ claims }: PipelineIdentity['attributes']): string =>
  claimLines(Object.fromEntries(Object.entries(claims).map(([name, all]) => [name, all.length === 1 ? all[0] : all])));

/** Returns why the form cannot be sent; undefined if it can. */
export function whyNot({ issuer, audiences, claims }: Filled): string | undefined {
  if (issuer.trim() === '') return texts.enterAnIssuer;
  if (linesIn(audiences).length === 0) return texts.enterAnAudience;
  return claims.trim() === '' ? texts.enterAClaim : whyNoClaims(claims);
}

type Attributes = ReturnType<typeof written>;

/** Returns the attributes of the request. */
export function written(filled: Filled) {
  return {
    description: filled.description,
    issuer: filled.issuer.trim(),
    'jwks-url': filled.jwksUrl.trim() || null,
    audiences: linesIn(filled.audiences),
    claims: claimsIn(filled.claims) as Record<string, string>,
    // The server reports a value that is not a number.
    'token-ttl': filled.ttl.trim() === '' ? 900 : Number(filled.ttl),
  };
}

/** Returns only the changed attributes: sending the issuer, keys, audiences or claims revokes the issued tokens. */
export function changesOf(before: Filled, after: Filled): Partial<Attributes> {
  const [was, is] = [written(before), written(after)];
  const names = Object.keys(is) as (keyof Attributes)[];
  return Object.fromEntries(
    names.flatMap((name) => (JSON.stringify(was[name]) === JSON.stringify(is[name]) ? [] : [[name, is[name]]])),
  );
}

/** Returns the configuration for a pipeline that uses the credentials helper. */
export function snippetOf(kind: Kind, address: string, team: string): string {
  if (kind === 'gitlab') {
    return `deploy:
  id_tokens:
    LOCKKEEPER_ID_TOKEN:
      aud: ${address}
  variables:
    LOCKKEEPER_ADDR: ${address}
    LOCKKEEPER_TEAM: ${JSON.stringify(team)}`;
  }
  return `permissions:
  id-token: write
  contents: read
env:
  LOCKKEEPER_ADDR: ${address}
  LOCKKEEPER_TEAM: ${JSON.stringify(team)}`;
}

/** Returns a command that exchanges the token without the credentials helper. */
export const exchangeOf = (address: string, team: string): string =>
  `curl -s ${address}/oauth2/token \\
  -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \\
  -d subject_token_type=urn:ietf:params:oauth:token-type:jwt \\
  -d subject_token="$ID_TOKEN" --data-urlencode ${quoted(`audience=${team}`)}`;

/** Quotes a text for a shell. */
const quoted = (text: string): string => (/^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
