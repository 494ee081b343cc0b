import { AppError } from '../../lib/errors.ts';
import { type Call, DONE, type Operation } from '../api/operation.ts';
import { parseFields, text } from '../fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../listing.ts';
import { ENTITY_FIELDS, plainName } from './entity-fields.ts';
import { aliasInfo, aliasView, entityInfo, entityView } from './entity-view.ts';
import type { EntityQuery, IdentityService } from './identity-service.ts';

const LOOKUP_FIELDS = { id: text(), name: text(), alias_id: text(), alias_name: text(), alias_mount_accessor: text() };

/** A name can be written in several ways. */
const NAME = { param: 'name', of: plainName };

/** Entities and aliases, as operations below `identity`. */
export function identityOperations(identities: IdentityService): readonly Operation[] {
  return [...byId(identities), ...byName(identities), ...aliases(identities), lookup(identities)];
}

const param = ({ params }: Call, name: string): string => params[name] ?? '';

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not-found', '');
  return value;
}

function byId(identities: IdentityService): Operation[] {
  return [
    {
      path: 'entity/id',
      verb: 'list',
      summary: 'List entities by id',
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const entities = await identities.entities.page(after, most);
        const infos = entities.map((entity) => [entity.id, entityInfo(entity)]);
        return listReply(
          entities.map(({ id }) => id),
          Object.fromEntries(infos),
        );
      },
    },
    {
      path: 'entity/id/:id',
      verb: 'read',
      summary: 'Read an entity',
      async handle(call) {
        return { data: entityView(present(await identities.find({ id: param(call, 'id') }))) };
      },
    },
    {
      path: 'entity/id/:id',
      verb: 'update',
      summary: 'Rename an entity, change its metadata, disable or enable it',
      fields: ENTITY_FIELDS,
      async handle(call) {
        await identities.change(param(call, 'id'), call.data);
        return DONE;
      },
    },
    {
      path: 'entity/id/:id',
      verb: 'delete',
      summary: 'Delete an entity and its aliases',
      async handle(call) {
        await identities.remove(param(call, 'id'));
        return DONE;
      },
    },
  ];
}

function byName(identities: IdentityService): Operation[] {
  return [
    {
      path: 'entity/name',
      verb: 'list',
      summary: 'List entities by name',
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        return listReply(await identities.entities.names(after, most));
      },
    },
    {
      path: 'entity/name/:name',
      canonical: NAME,
      verb: 'read',
      summary: 'Read an entity by its name',
      async handle(call) {
        return { data: entityView(present(await identities.find({ name: param(call, 'name') }))) };
      },
    },
    {
      path: 'entity/name/:name',
      canonical: NAME,
      verb: 'delete',
      summary: 'Delete the entity of a name, and its aliases',
      async handle(call) {
        await identities.removeByName(param(call, 'name'));
        return DONE;
      },
    },
  ];
}

function aliases({ entities }: IdentityService): Operation[] {
  return [
    {
      path: 'entity-alias/id',
      verb: 'list',
      summary: 'List aliases',
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const found = await entities.aliasPage(after, most);
        return listReply(
          found.map(({ id }) => id),
          Object.fromEntries(found.map((alias) => [alias.id, aliasInfo(alias)])),
        );
      },
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'read',
      summary: 'Read an alias',
      async handle(call) {
        return { data: aliasView(present(await entities.findAlias(param(call, 'id')))) };
      },
    },
    {
      path: 'entity-alias/id/:id',
      verb: 'delete',
      summary: 'Delete an alias; the next login under its name makes a new entity',
      async handle(call) {
        await entities.removeAlias(param(call, 'id'));
        return DONE;
      },
    },
  ];
}

function lookup(identities: IdentityService): Operation {
  return {
    path: 'lookup/entity',
    verb: 'update',
    summary: 'Find an entity by its id, its name or one of its aliases',
    fields: LOOKUP_FIELDS,
    async handle({ data }) {
      const entity = await identities.find(queryOf(data));
      return entity ? { data: entityView(entity) } : DONE;
    },
  };
}

/** One way of naming an entity. More than one could name two: that is refused. */
function queryOf(data: Readonly<Record<string, unknown>>): EntityQuery {
  const { values } = parseFields(LOOKUP_FIELDS, data);
  const { id, name, alias_id: aliasId, alias_name: aliasName, alias_mount_accessor: accessor } = values;
  const named: (EntityQuery | undefined)[] = [
    id ? { id } : undefined,
    name ? { name } : undefined,
    aliasId ? { aliasId } : undefined,
    aliasName && accessor ? { aliasName, accessor } : undefined,
  ];
  const [query, another] = named.filter((one) => one !== undefined);
  if (query && !another && Boolean(aliasName) === Boolean(accessor)) return query;
  throw new AppError(
    'bad-request',
    "exactly one of 'id', 'name', 'alias_id', or 'alias_name' with 'alias_mount_accessor' must be given",
  );
}
