import { WrittenDocument } from '../jsonapi/writing.ts';
import type { Actor, RequestSubject } from '../tenancy/index.ts';
import type { EventName } from './event-names.ts';
import type { EventMeta, NewEvent } from './store.ts';

/** @limit a text in an event of an audit trail, characters -> it is cut */
const MAX_TEXT = 255;
/** @limit ids in the details of an event of an audit trail, ids -> the first are listed */
const MAX_NAMED = 20;

/** Actor of an event. */
export type Accessor = Pick<NewEvent, 'accessorId' | 'description' | 'authType'>;

/** Returns the actor's columns of an event. */
export function accessorOf(actor: Actor): Accessor {
  if (actor.kind === 'user') return client(actor.id, actor.username);
  if (actor.kind === 'team') return client(actor.teamId);
  if (actor.kind === 'organization') return client(actor.id);
  if (actor.kind === 'machine') return client(actor.machine.accessor, actor.machine.commonName);
  const { agentId, holder } = actor.kind === 'agent' ? actor : { agentId: actor.resultId, holder: undefined };
  const accessorId = agentId ?? holder?.tokenId ?? holder?.identityId ?? 'agent';
  return { accessorId, description: null, authType: 'System' };
}

function client(accessorId: string, description: string | null = null): Accessor {
  return { accessorId, description: description && text(description), authType: 'Client' };
}

/**
 * Returns the id of the request's subject.
 * @param parameters of its path, in order
 */
export function resourceIdOf(
  { type, action }: EventName,
  about: RequestSubject,
  answer: unknown,
  parameters: Readonly<Record<string, string>>,
): string {
  const found = action === 'create' ? undefined : idIn(type, about);
  return parameters[`${type}_id`] ?? found ?? idOf(answer) ?? Object.values(parameters).at(-1) ?? '';
}

function idIn(type: string, { workspaceId, projectId }: RequestSubject): string | undefined {
  if (type === 'workspace') return workspaceId;
  return type === 'project' ? projectId : undefined;
}

/** Id of the only resource in the response. */
function idOf(answer: unknown): string | undefined {
  if (answer instanceof WrittenDocument) return answer.id;
  return textIn(memberOf(answer, 'data'), 'id');
}

/** Returns the details of an event with this name: only ids, and the permissions of a team. Returns null for none. */
export function metaOf({ action }: EventName): (body: unknown, answer: unknown) => EventMeta | null {
  if (/_team(?:_permissions)?$/.test(action)) return (_body, answer) => ofTeam(memberOf(answer, 'data'));
  if (/^(?:add|remove|update)_/.test(action)) return (body) => ofMany(memberOf(body, 'data'));
  return () => null;
}

function ofTeam(access: unknown): EventMeta | null {
  const team = textIn(memberOf(memberOf(memberOf(access, 'relationships'), 'team'), 'data'), 'id');
  const permissions = textIn(memberOf(access, 'attributes'), 'access');
  return team === undefined ? null : { team, permissions };
}

/** Details of resource identifiers: `{"users":["alice"]}`. */
function ofMany(data: unknown): EventMeta | null {
  const given = Array.isArray(data) ? data.slice(0, MAX_NAMED) : [];
  const named = given.flatMap((one) => {
    const [type, id] = [textIn(one, 'type'), textIn(one, 'id')];
    return type === undefined || id === undefined ? [] : [{ type: text(type).replaceAll('-', '_'), id: text(id) }];
  });
  if (named.length === 0) return null;
  const byType = [...Map.groupBy(named, ({ type }) => type)];
  return Object.fromEntries(byType.map(([type, some]) => [type, some.map(({ id }) => id)]));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}

const text = (value: string): string => value.slice(0, MAX_TEXT);
