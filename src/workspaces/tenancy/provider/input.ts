import type { Static } from 'typebox';
import { certificatesFault } from '../../../lib/pem/certificates-fault.ts';
import { attributeIssue, unprocessable } from '../../jsonapi/errors.ts';
import { resourceBody } from '../../jsonapi/schema.ts';
import type { NewProvider, ProviderChange } from './providers.ts';
import { ProviderResource } from './resource.ts';

/** Request body to create a provider. */
export const CreateProvider = resourceBody('sign-in-providers', ProviderResource.create, {});
/** Request body to change a provider. */
export const ChangeProvider = resourceBody('sign-in-providers', ProviderResource.update, {});

const DEFAULT_CLAIMS = { name: 'preferred_username', email: 'email', groups: 'groups' };

/**
 * Converts a request body to changed fields.
 * @throws 422 unless the issuer is an https URL and the CA certificates are valid
 */
export function providerChange({ data }: Static<typeof ChangeProvider>): ProviderChange {
  const { claims, scopes, teams, create, issuer, name, ...more } = data.attributes;
  const { 'client-id': clientId, 'client-secret': clientSecret, 'sso-team-ids': ssoTeamIds } = more;
  const authorities = more['certificate-authorities'];
  const fault = authorities ? certificatesFault(authorities) : undefined;
  const issues = [
    ...(isIssuer(issuer)
      ? []
      : [attributeIssue('issuer', "The value must be an https URL, exactly as in the issuer's tokens")]),
    ...(fault === undefined
      ? []
      : [attributeIssue('certificate-authorities', `The value must contain PEM certificates: ${fault}`)]),
  ];
  if (issues.length > 0) throw unprocessable(issues);
  return {
    ...Object.fromEntries(
      Object.entries({ create, issuer, name, clientId, clientSecret, ssoTeamIds }).filter(
        ([, said]) => said !== undefined,
      ),
    ),
    ...(scopes && { scopes: [...new Set(['openid', ...scopes])] }),
    ...(claims && { claims: { ...DEFAULT_CLAIMS, ...claims } }),
    ...(teams && { teams: teams.map(({ group, team }) => ({ group, team })) }),
    ...(authorities !== undefined && { authorities: authorities ?? '' }),
  };
}

/**
 * Converts a request body to the fields of a new provider.
 * @throws as `providerChange`
 */
export function newProvider(body: Static<typeof CreateProvider>): NewProvider {
  const { name, issuer, 'client-id': clientId } = body.data.attributes;
  return { ...providerChange(body), name, issuer, clientId };
}

/** Checks only the format. Requests to the issuer check for closed networks. */
function isIssuer(issuer: string | undefined): boolean {
  if (issuer === undefined) return true;
  const url = URL.parse(issuer);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[\s?#]/.test(issuer);
}
