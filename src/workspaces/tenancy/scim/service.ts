import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isoTime } from '../../../lib/clock.ts';
import { AppError, type ErrorShape } from '../../../lib/errors.ts';
import { parseJsonBody } from '../../../lib/json.ts';
import { bearerToken } from '../../../lib/secret/bearer.ts';
import type { Service } from '../../../lib/service.ts';
import type { Page } from '../../jsonapi/pagination.ts';
import { TOKEN_RATE } from '../authentication/rate.ts';
import { LIST, RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER } from './discovery.ts';
import { readFilter } from './filter.ts';
import type { ScimGroup } from './group-store.ts';
import { readOperations } from './patch.ts';
import { CORE_GROUP, CORE_USER, isObject, type Json, spelled } from './resource.ts';
import type { Scim } from './scim.ts';
import { notThere, scimError } from './scim-error.ts';
import type { ScimUser } from './user-store.ts';

const PREFIX = '/scim/v2';
const MEDIA_TYPE = 'application/scim+json';
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
/** @limit body of a SCIM request, bytes -> 413 */
const MAX_BODY_BYTES = 1024 * 1024;
/** @limit resources in one SCIM response, resources -> the response has this many */
const MOST_IN_LIST = 200;
const DEFAULT_COUNT = 100;

/** Error format (RFC 7644 §3.12). */
const errors: ErrorShape = {
  contentType: `${MEDIA_TYPE}; charset=utf-8`,
  statuses: { unprocessable: 400 },
  body: (status, error) => ({
    schemas: [ERROR],
    status: `${status}`,
    ...(error?.title !== undefined && { scimType: error.title }),
    detail: error?.message ?? 'internal server error',
  }),
};

type Query = Readonly<Record<string, unknown>>;

/** Serves SCIM: the directory provisions users and groups (RFC 7644). */
export function scimService(scim: Scim): Service {
  return {
    name: 'scim',
    prefix: PREFIX,
    errors,
    rate: TOKEN_RATE,
    ignoresLastSlash: true,
    notFound: notThere,
    routes(app) {
      for (const type of [MEDIA_TYPE, 'application/json']) {
        app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, parseJsonBody);
      }
      app.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store').type(MEDIA_TYPE);
        await admit(scim, request);
      });
      discoveryRoutes(app);
      userRoutes(app, scim);
      groupRoutes(app, scim);
    },
  };
}

/**
 * Accepts only a token of the directory.
 * @throws 401; 403 if provisioning is off; 503 while it is paused
 */
async function admit(scim: Scim, request: FastifyRequest): Promise<void> {
  const token = bearerToken(request) ?? '';
  const id = await scim.tokens.admit(token);
  if (id === undefined) throw new AppError('unauthenticated', 'A directory token is required');
  request.event.add({ actor_kind: 'scim', actor_id: id });
  const { enabled, paused } = await scim.settings.current();
  if (!enabled) throw new AppError('forbidden', 'Provisioning is off. A site administrator can turn it on');
  if (paused) throw new AppError('unavailable', 'Provisioning is paused. Try again later', { retryAfter: 300 });
}

function discoveryRoutes(app: FastifyInstance): void {
  app.get('/ServiceProviderConfig', async () => SERVICE_PROVIDER);
  app.get('/ResourceTypes', async () => listOf(RESOURCE_TYPES, RESOURCE_TYPES.length, 1));
  app.get('/Schemas', async () => listOf(SCHEMAS, SCHEMAS.length, 1));
  for (const [path, all] of [
    ['/ResourceTypes/:id', RESOURCE_TYPES],
    ['/Schemas/:id', SCHEMAS],
  ] as const) {
    app.get(path, async (request) => {
      const found = all.find(({ id }) => id === idOf(request));
      if (found === undefined) throw notThere();
      return found;
    });
  }
}

function userRoutes(app: FastifyInstance, { users }: Scim): void {
  app.get('/Users', async (request) => {
    const { conditions, page, startIndex } = listed(request);
    const { items, total } = await users.list(conditions, page);
    return listOf(
      items.map((user) => shown(request, userJson(user, request))),
      total,
      startIndex,
    );
  });
  app.post('/Users', async (request, reply) => {
    const user = await users.create(bodyOf(request));
    const json = userJson(user, request);
    return reply.code(201).header('location', json.meta.location).send(shown(request, json));
  });
  app.get('/Users/:id', async (request) => shown(request, userJson(await users.find(idOf(request)), request)));
  app.put('/Users/:id', async (request) =>
    shown(request, userJson(await users.replace(idOf(request), bodyOf(request)), request)),
  );
  app.patch('/Users/:id', async (request) =>
    shown(request, userJson(await users.patch(idOf(request), readOperations(request.body)), request)),
  );
  app.delete('/Users/:id', async (request, reply) => {
    await users.delete(idOf(request));
    return reply.code(204).send();
  });
}

function groupRoutes(app: FastifyInstance, { groups }: Scim): void {
  /** Loads members only if the response contains them: directories list groups without members. */
  const json = async (group: ScimGroup, request: FastifyRequest) =>
    shown(request, groupJson(group, wants(request, 'members') ? await groups.members(group.id) : [], request));

  app.get('/Groups', async (request) => {
    const { conditions, page, startIndex } = listed(request);
    const { items, total } = await groups.list(conditions, page);
    const [only] = items;
    // Lists of several groups omit members, because there may be too many.
    if (only && items.length === 1) return listOf([await json(only, request)], total, startIndex);
    return listOf(
      items.map((group) => shown(request, groupJson(group, undefined, request))),
      total,
      startIndex,
    );
  });
  app.post('/Groups', async (request, reply) => {
    const group = await groups.create(bodyOf(request));
    const { location } = groupJson(group, [], request).meta;
    return reply
      .code(201)
      .header('location', location)
      .send(await json(group, request));
  });
  app.get('/Groups/:id', async (request) => json(await groups.find(idOf(request)), request));
  app.put('/Groups/:id', async (request) => json(await groups.replace(idOf(request), bodyOf(request)), request));
  app.patch('/Groups/:id', async (request) => {
    const group = await groups.patch(idOf(request), readOperations(request.body));
    return json(group, request);
  });
  app.delete('/Groups/:id', async (request, reply) => {
    await groups.delete(idOf(request));
    return reply.code(204).send();
  });
}

function userJson({ id, resource, createdAt, updatedAt }: ScimUser, request: FastifyRequest) {
  return { schemas: [CORE_USER], ...resource, id, meta: metaOf('User', id, createdAt, updatedAt, request) };
}

function groupJson(group: ScimGroup, members: readonly string[] | undefined, request: FastifyRequest) {
  const { id, displayName, externalId, createdAt, updatedAt } = group;
  return {
    schemas: [CORE_GROUP],
    id,
    displayName,
    ...(externalId !== null && { externalId }),
    ...(members && { members: members.map((value) => ({ value, $ref: `${placeOf(request)}/Users/${value}` })) }),
    meta: metaOf('Group', id, createdAt, updatedAt, request),
  };
}

const placeOf = ({ protocol, host }: FastifyRequest) => `${protocol}://${host}${PREFIX}`;

const metaOf = (resourceType: string, id: string, created: number, changed: number, request: FastifyRequest) => ({
  ...{ resourceType, created: isoTime(created), lastModified: isoTime(changed) },
  location: `${placeOf(request)}/${resourceType}s/${id}`,
});

function listOf(resources: readonly unknown[], totalResults: number, startIndex: number) {
  return { schemas: [LIST], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources };
}

function listed(request: FastifyRequest) {
  const { filter, startIndex: start, count } = request.query as Query;
  const startIndex = Math.max(1, numberIn(start, 1));
  const size = Math.min(MOST_IN_LIST, Math.max(0, numberIn(count, DEFAULT_COUNT)));
  if (filter !== undefined && typeof filter !== 'string')
    throw scimError('invalidFilter', 'filter: must not be repeated');
  const page: Page = { number: 1, size, offset: startIndex - 1 };
  return { conditions: filter ? readFilter(filter) : [], page, startIndex };
}

function numberIn(text: unknown, unsaid: number): number {
  if (text === undefined) return unsaid;
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text))
    throw scimError('invalidValue', 'The value must be a number');
  return Number(text);
}

const namesIn = (text: unknown): readonly string[] =>
  typeof text === 'string' ? text.split(',').map((name) => name.trim().toLowerCase()) : [];

/** Returns whether the response contains an attribute (RFC 7644 §3.9). */
function wants({ query }: FastifyRequest, name: string): boolean {
  const { attributes, excludedAttributes } = query as Query;
  const [some, not] = [namesIn(attributes), namesIn(excludedAttributes)];
  if (some.length > 0) return some.some((one) => one === name || one.startsWith(`${name}.`));
  return !not.includes(name);
}

const ALWAYS: readonly string[] = ['id', 'schemas'];

function shown(request: FastifyRequest, resource: Json): Json {
  const kept = Object.entries(resource).filter(([name]) => ALWAYS.includes(name) || wants(request, name.toLowerCase()));
  return Object.fromEntries(kept);
}

function idOf({ params }: FastifyRequest): string {
  const { id = '' } = params as Readonly<Record<string, string | undefined>>;
  if (id.length > 100 || id.includes('\0')) throw notThere();
  return id;
}

function bodyOf({ body }: FastifyRequest): Json {
  if (!isObject(body)) throw scimError('invalidSyntax', 'The body must be a JSON object');
  return spelled(body);
}
