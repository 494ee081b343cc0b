import type { Resources } from '../../api/client.ts';
import { claimLines, claimsIn, whyNoClaims } from '../../components/claims/claims.ts';
import { linesIn } from '../../components/role/fields.ts';

export type PipelineIdentity = Resources['pipeline-identities'];

/** Whose pipelines are known by name; any other says its own address. */
export const ISSUERS = {
  github: { name: 'GitHub Actions', issuer: 'https://token.actions.githubusercontent.com' },
  gitlab: { name: 'GitLab', issuer: 'https://gitlab.com' },
} as const;
export type Kind = keyof typeof ISSUERS;

/** What is worth binding: ids stay with a repository that is renamed. */
const CLAIMS: Readonly<Record<Kind, string>> = {
  github: 'repository_id = "123456789"\nref = refs/heads/main',
  gitlab: 'project_id = "123456789"\nref = main\nref_protected = "true"',
};
export const exampleOf = (issuer: string): string => CLAIMS[kindOf(issuer) ?? 'github'];

/** Undefined for any other. */
export function kindOf(issuer: string): Kind | undefined {
  if (issuer === ISSUERS.github.issuer) return 'github';
  return /^https:\/\/gitlab\./.test(issuer) ? 'gitlab' : undefined;
}

/** What stands in the form. */
export interface Filled {
  readonly description: string;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly audiences: string;
  readonly claims: string;
  readonly ttl: string;
}

/** Of a new one: for this server. */
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

/** A line for each claim; one value stands by itself. */
export const claimsText = ({ claims }: PipelineIdentity['attributes']): string =>
  claimLines(Object.fromEntries(Object.entries(claims).map(([name, all]) => [name, all.length === 1 ? all[0] : all])));

/** Why it cannot be sent; nothing where it can. */
export function whyNot({ issuer, audiences, claims }: Filled): string | undefined {
  if (issuer.trim() === '') return 'It needs an issuer';
  if (linesIn(audiences).length === 0) return 'It needs an audience';
  return claims.trim() === '' ? 'It needs a claim' : whyNoClaims(claims);
}

type Attributes = ReturnType<typeof written>;

/** As it is sent. */
export function written(filled: Filled) {
  return {
    description: filled.description,
    issuer: filled.issuer.trim(),
    'jwks-url': filled.jwksUrl.trim() || null,
    audiences: linesIn(filled.audiences),
    claims: claimsIn(filled.claims) as Record<string, string>,
    // What is no number the server says.
    'token-ttl': filled.ttl.trim() === '' ? 900 : Number(filled.ttl),
  };
}

/** What is other than it was: writing anew whose tokens are taken ends those that were got. */
export function changesOf(before: Filled, after: Filled): Partial<Attributes> {
  const [was, is] = [written(before), written(after)];
  const names = Object.keys(is) as (keyof Attributes)[];
  return Object.fromEntries(
    names.flatMap((name) => (JSON.stringify(was[name]) === JSON.stringify(is[name]) ? [] : [[name, is[name]]])),
  );
}

/** What to write into a pipeline: the helper of the command lines does the rest. */
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

/** The same without the helper. */
export const exchangeOf = (address: string, team: string): string =>
  `curl -s ${address}/oauth2/token \\
  -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \\
  -d subject_token_type=urn:ietf:params:oauth:token-type:jwt \\
  -d subject_token="$ID_TOKEN" --data-urlencode ${quoted(`audience=${team}`)}`;

/** For a shell. */
const quoted = (text: string): string => (/^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
