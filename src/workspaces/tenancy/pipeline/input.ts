import { type Static, Type } from 'typebox';
import type { Plain } from '../../../jwt/index.ts';
import type { Issue } from '../../../lib/errors.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { nullable, resourceBody, text } from '../../jsonapi/schema.ts';
import type { PipelineIdentityChanges, PipelineIdentityInput } from './identities.ts';

/** @limit an issuer, an audience or the value of a claim of a pipeline identity, characters -> 422 */
const LONGEST_VALUE = 500;
/** @limit audiences of a pipeline identity, audiences -> 422 */
const MOST_AUDIENCES = 10;
/** @limit claims of a pipeline identity, claims -> 422 */
const MOST_CLAIMS = 20;
/** @limit values of one claim of a pipeline identity, values -> 422 */
const MOST_VALUES = 20;
/** Seconds. */
const SHORTEST_TTL = 60;
/** @limit how long a token is good that a pipeline got, seconds -> 422 */
const MAX_TTL = 3600;
const DEFAULT_TTL = 900;

const value = text(LONGEST_VALUE);
const PLAIN = ['string', 'number', 'boolean'];
/** One value or several. */
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

/** The body that makes one. */
export const CreatePipelineIdentity = resourceBody(
  'pipeline-identities',
  Type.Object({ ...ATTRIBUTES, ...OPTIONAL }),
  {},
);

/** The body that changes one: what it does not name stays as it is. */
export const ChangePipelineIdentity = resourceBody(
  'pipeline-identities',
  Type.Object({ ...Type.Partial(Type.Object(ATTRIBUTES)).properties, ...OPTIONAL }),
  {},
);

/** @throws 422 for what is no address, and for claims that any token would have */
export function pipelineIdentityInput({ data }: Static<typeof CreatePipelineIdentity>): PipelineIdentityInput {
  const { issuer, audiences, claims } = data.attributes;
  const changes = pipelineIdentityChanges({ data });
  return {
    ...{ description: '', jwksUrl: '', tokenTtl: DEFAULT_TTL, issuer, audiences, claims: listed(claims) },
    ...changes,
  };
}

/** @throws as above */
export function pipelineIdentityChanges({ data }: Static<typeof ChangePipelineIdentity>): PipelineIdentityChanges {
  const { description, issuer, 'jwks-url': jwksUrl, audiences, claims, 'token-ttl': tokenTtl } = data.attributes;
  const issues = [
    ...(issuer === undefined || isAddress(issuer) ? [] : [attributeIssue('issuer', 'It has to be an https address')]),
    ...(!jwksUrl || isAddress(jwksUrl) ? [] : [attributeIssue('jwks-url', 'It has to be an https address')]),
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
    return [attributeIssue('claims', `The name of a claim has 1 to ${LONGEST_VALUE} characters`)];
  }
  if (Object.hasOwn(OWN, name)) return [attributeIssue(at, `It is said by ${OWN[name]}`)];
  // Any repository of the issuer would have it.
  const isEmpty = wanted.some((one) => typeof one === 'string' && /^\**$/.test(one));
  return isEmpty ? [attributeIssue(at, 'It has to say more than a star')] : [];
}

/** That it leads to no closed network, and over plain HTTP only where the operator allows it, is seen to when it is asked. */
function isAddress(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
  );
}
