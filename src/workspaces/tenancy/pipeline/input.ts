import { type Static, Type } from 'typebox';
import type { Plain } from '../../../jwt/index.ts';
import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import type { PipelineIdentityChanges, PipelineIdentityInput } from './identities.ts';

/** @limit issuer, audience or claim value of a pipeline identity, characters -> 422 */
const LONGEST_VALUE = 500;
/** @limit audiences of a pipeline identity, audiences -> 422 */
const MOST_AUDIENCES = 10;
/** @limit claims of a pipeline identity, claims -> 422 */
const MOST_CLAIMS = 20;
/** @limit values of one claim of a pipeline identity, values -> 422 */
const MOST_VALUES = 20;
/** Shortest lifetime, in seconds. */
const SHORTEST_TTL = 60;
/** @limit lifetime of a token of a pipeline identity, seconds -> 422 */
const MAX_TTL = 3600;
const DEFAULT_TTL = 900;

const value = text(LONGEST_VALUE);
const PLAIN = ['string', 'number', 'boolean'];
/** Schema of one value or a list of values. */
const Claim = Type.Unsafe<Plain | readonly Plain[]>({
  ...value,
  type: [...PLAIN, 'array'],
  minItems: 1,
  maxItems: MOST_VALUES,
  items: { ...value, type: PLAIN },
});

const ATTRIBUTES = {
  issuer: value,
  audiences: Type.Array(Type.String({ ...value, minLength: 1 }), { minItems: 1, maxItems: MOST_AUDIENCES }),
  claims: Type.Record(Type.String(), Claim, { minProperties: 1, maxProperties: MOST_CLAIMS }),
};
const OPTIONAL = {
  description: Type.Optional(nullable(text(255))),
  'jwks-url': Type.Optional(nullable(value)),
  'token-ttl': Type.Optional(Type.Integer({ minimum: SHORTEST_TTL, maximum: MAX_TTL })),
};

/** Request body to create an identity. */
export const CreatePipelineIdentity = resourceBody(
  'pipeline-identities',
  Type.Object({ ...ATTRIBUTES, ...OPTIONAL }),
  {},
);

/** Request body to change an identity. Missing fields keep their values. */
export const ChangePipelineIdentity = resourceBody(
  'pipeline-identities',
  Type.Object({ ...Type.Partial(Type.Object(ATTRIBUTES)).properties, ...OPTIONAL }),
  {},
);

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
