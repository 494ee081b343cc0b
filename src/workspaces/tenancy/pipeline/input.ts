import type { Static } from 'typebox';
import type { Plain } from '../../../jwt/index.ts';
import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { resourceBody } from '../../jsonapi/schema.ts';
import type { PipelineIdentityChanges, PipelineIdentityInput } from './identities.ts';
import { LONGEST_VALUE, PipelineIdentityResource } from './resource.ts';

/** Default lifetime of tokens, in seconds. */
const DEFAULT_TTL = 900;

/** Request body to create an identity. */
export const CreatePipelineIdentity = resourceBody('pipeline-identities', PipelineIdentityResource.create, {});

/** Request body to change an identity. Missing fields keep their values. */
export const ChangePipelineIdentity = resourceBody('pipeline-identities', PipelineIdentityResource.update, {});

/**
 * Converts a request body to the fields of a new identity.
 * @throws 422 for an invalid URL, and for claims that match any token
 */
export function pipelineIdentityInput({ data }: Static<typeof CreatePipelineIdentity>): PipelineIdentityInput {
  const { issuer, audiences, claims } = data.attributes;
  const changes = pipelineIdentityChanges({ data });
  return {
    ...{ description: '', jwksUrl: '', tokenTtl: DEFAULT_TTL, issuer, audiences, claims: listed(claims) },
    ...changes,
  };
}

/**
 * Converts a request body to changed fields.
 * @throws as `pipelineIdentityInput`
 */
export function pipelineIdentityChanges({ data }: Static<typeof ChangePipelineIdentity>): PipelineIdentityChanges {
  const { description, issuer, 'jwks-url': jwksUrl, audiences, claims, 'token-ttl': tokenTtl } = data.attributes;
  const issues = [
    ...(issuer === undefined || isAddress(issuer) ? [] : [attributeIssue('issuer', 'The value must be an https URL')]),
    ...(!jwksUrl || isAddress(jwksUrl) ? [] : [attributeIssue('jwks-url', 'The value must be an https URL')]),
    ...Object.entries(claims ?? {}).flatMap(([name, wanted]) => claimIssues(name, [wanted].flat())),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return {
    ...(description !== undefined && { description: description ?? '' }),
    ...(issuer !== undefined && { issuer }),
    ...(jwksUrl !== undefined && { jwksUrl: jwksUrl ?? '' }),
    ...(audiences && { audiences: [...new Set(audiences)] }),
    ...(claims && { claims: listed(claims) }),
    ...(tokenTtl !== undefined && { tokenTtl }),
  };
}

const listed = (claims: Readonly<Record<string, Plain | readonly Plain[]>>) =>
  Object.fromEntries(Object.entries(claims).map(([name, wanted]) => [name, [wanted].flat()]));

const OWN: Readonly<Record<string, string>> = { iss: 'issuer', aud: 'audiences' };

function claimIssues(name: string, wanted: readonly Plain[]): readonly Issue[] {
  const at = `claims/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  if (name === '' || name.length > LONGEST_VALUE || name.includes('\0')) {
    return [attributeIssue('claims', `The name of a claim must have 1 to ${LONGEST_VALUE} characters`)];
  }
  if (Object.hasOwn(OWN, name)) return [attributeIssue(at, `Set ${OWN[name]} instead of a claim`)];
  // A pattern of only stars would match every repository of the issuer.
  const isEmpty = wanted.some((one) => typeof one === 'string' && /^\**$/.test(one));
  return isEmpty ? [attributeIssue(at, 'The value must contain more than stars')] : [];
}

/**
 * Checks only the format. The request for the keys checks for closed networks and for plain HTTP, which the operator
 * can allow.
 */
function isAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
  );
}
