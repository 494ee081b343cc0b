import Type from 'typebox';
import { idOfDelivery } from '../delivery.ts';
import { deliveryMembers } from '../http/delivery-json.ts';
import { optional, optionalText } from '../http/optional.ts';
import type { Rest } from '../http/rest.ts';
import { reader } from '../http/untrusted.ts';
import type { Hooks, RawDelivery, RepositoryRef, WantedHook } from '../port.ts';
import { ProviderError } from '../provider-error.ts';
import { sameSecret } from '../webhook-proof.ts';
import { azureIdOf, organizationApi, readRepository, repositoryPath } from './api.ts';
import { EVENTS, parseAzure, REPOSITORY_HEADER } from './parse.ts';

const subscription = Type.Object({
  id: Type.String(),
  eventType: Type.String(),
  consumerInputs: optional(Type.Object({ url: optionalText })),
});
const readSubscription = reader('service hook', subscription);
const readSubscriptions = reader('list of service hooks', Type.Object({ value: Type.Array(subscription) }));
const readId = reader('service hook event', Type.Object({ id: optionalText }));

const USER = 'lockkeeper';
const PATH = '/_apis/hooks/subscriptions';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** Service hooks: one subscription for each kind of event. The id of the hook consists of those of its subscriptions. */
export const azureHooks: Hooks = {
  async ensure(access, repository, wanted) {
    const api = organizationApi(access, azureIdOf(repository).organization);
    const inputs = await inputsOf(api, repository, wanted);
    const known = await knownSubscriptions(api, wanted);
    const ids: string[] = [];
    for (const eventType of EVENTS) {
      const id = known.find((each) => each.eventType === eventType)?.id;
      ids.push(await setSubscription(api, id, { ...inputs, eventType }));
    }
    for (const { id } of known) if (!ids.includes(id)) await api.find('DELETE', pathOf(id));
    return ids.join();
  },

  async remove(access, repository, hookId) {
    const api = organizationApi(access, azureIdOf(repository).organization);
    for (const id of hookId.split(',')) await api.find('DELETE', pathOf(id));
  },

  // Azure DevOps signs nothing; it sends the credentials that the subscription names.
  prove: ({ headers }, secret) => sameSecret(headers.authorization, basicAuth(secret)) && secret !== '',

  deliveryId: (delivery) => idOfDelivery({ ...delivery, headers: { id: eventId(delivery) } }, 'id'),

  parse: parseAzure,
};

/** Returns the id in the body; undefined if it has none that can be read. */
function eventId({ body }: RawDelivery): string | undefined {
  try {
    return readId(deliveryMembers(body, new Set(['id']))).id ?? undefined;
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

const basicAuth = (secret: string): string => `Basic ${Buffer.from(`${USER}:${secret}`).toString('base64')}`;

/** Returns the members that all subscriptions of a hook have. */
async function inputsOf(api: Rest, repository: RepositoryRef, { url, secret }: WantedHook) {
  const id = azureIdOf(repository);
  const { project } = readRepository((await api.send('GET', repositoryPath(id))).json);
  return {
    ...{ publisherId: 'tfs', resourceVersion: '1.0', consumerId: 'webHooks', consumerActionId: 'httpRequest' },
    publisherInputs: { projectId: project.id, repository: id.id },
    consumerInputs: {
      ...{ url, basicAuthUsername: USER, basicAuthPassword: secret },
      // Events name the repository without its organization.
      httpHeaders: `${REPOSITORY_HEADER}: ${repository.providerId}`,
      ...{ resourceDetailsToSend: 'all', messagesToSend: 'none', detailedMessagesToSend: 'none' },
    },
  };
}

/** Returns the subscriptions that the server made earlier, and those with the same URL, which a killed server made. */
async function knownSubscriptions(api: Rest, { url, hookId }: WantedHook) {
  const own = new Set(hookId?.split(','));
  const { json } = await api.send('GET', PATH, { query: { publisherId: 'tfs', consumerId: 'webHooks' } });
  return readSubscriptions(json).value.filter(({ id, consumerInputs }) => own.has(id) || consumerInputs?.url === url);
}

/** Updates a subscription, or creates one. Returns its id. */
async function setSubscription(api: Rest, id: string | undefined, body: object): Promise<string> {
  if (id !== undefined && (await api.find('PUT', pathOf(id), { body: { ...body, id } }))) return id;
  return readSubscription((await api.send('POST', PATH, { body })).json).id;
}
