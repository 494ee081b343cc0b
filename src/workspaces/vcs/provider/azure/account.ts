import Type from 'typebox';
import { optionalText } from '../http/optional.ts';
import { reader } from '../http/untrusted.ts';
import type { Account, ProviderAccess } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { titleText } from '../text.ts';
import { azureApi, organizationOf } from './api.ts';

/** Azure DevOps Services: people and their organizations, which have a host of their own. */
export const PROFILE_ORIGIN = 'https://app.vssps.visualstudio.com';

const readConnection = reader(
  'description of the connection',
  Type.Object({
    authenticatedUser: Type.Object({
      id: optionalText,
      providerDisplayName: optionalText,
      customDisplayName: optionalText,
    }),
  }),
);
const readProfile = reader('profile', Type.Object({ id: Type.String(), displayName: optionalText }));
const readAccounts = reader(
  'list of organizations',
  Type.Object({ value: Type.Array(Type.Object({ accountName: Type.String() })) }),
);
/** Id of the account under which Azure DevOps treats requests without a valid credential. */
const ANONYMOUS = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';

/** Returns the account as the organization of the connection knows it, else as the service of profiles does. */
export async function whoAmI(access: ProviderAccess): Promise<Account> {
  if (organizationOf(access.apiUrl) === undefined)
    return { name: titleText((await profileOf(access)).displayName), scopes: [] };
  const { json } = await azureApi(access, access.apiUrl, '6.0-preview').send('GET', '/_apis/connectionData');
  const { authenticatedUser: user } = readConnection(json);
  if (user.id === ANONYMOUS)
    throw new ProviderError('refused', 'The provider treats the request as anonymous. Check the token');
  return { name: titleText(user.customDisplayName ?? user.providerDisplayName), scopes: [] };
}

/** Returns the organizations whose repositories the credential may read. */
export async function organizationsOf(access: ProviderAccess): Promise<string[]> {
  const own = organizationOf(access.apiUrl);
  if (own !== undefined) return [own];
  const { id } = await profileOf(access);
  const { json } = await azureApi(access, PROFILE_ORIGIN).send('GET', '/_apis/accounts', { query: { memberId: id } });
  return readAccounts(json).value.map(({ accountName }) => accountName);
}

/** @throws ProviderError with advice, because a token for one organization has no access to profiles */
async function profileOf(access: ProviderAccess): Promise<ReturnType<typeof readProfile>> {
  try {
    return readProfile((await azureApi(access, PROFILE_ORIGIN).send('GET', '/_apis/profile/profiles/me')).json);
  } catch (error) {
    if (!(error instanceof ProviderError) || (error.kind !== 'refused' && error.kind !== 'forbidden')) throw error;
    const advice = 'If the token is for one organization, use its URL as the API URL of the connection';
    throw new ProviderError(error.kind, `${error.message}. ${advice}: https://dev.azure.com/ORGANIZATION`, {
      cause: error,
    });
  }
}
