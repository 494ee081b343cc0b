import { type TProperties, type TSchema, Type } from 'typebox';
import { memoizeByObject } from '../../lib/memoize-by-object.ts';
import {
  type Component,
  component,
  flag,
  integer,
  mapOf,
  optional,
  orNull,
  seconds,
  text,
  texts,
  time,
} from './schema.ts';

/**
 * Successful responses of an operation by status: the schema of the body, or null without a body. The OpenAPI document
 * contains them, and the tests check every response against them. Refusals have the schema `Errors`.
 */
export type Answer = Readonly<Record<number, Component | null>>;

export const Auth = component(
  'Auth',
  {
    client_token: text('The token. Empty if the caller may not know it.'),
    accessor: text('Identifies the token without being its secret. Empty for a batch token.'),
    policies: texts('All policies of the token.'),
    token_policies: texts('Policies of the token itself.'),
    identity_policies: Type.Optional(texts("Policies of the token's entity and its groups.")),
    metadata: orNull(mapOf(text())),
    lease_duration: seconds('Lifetime of the token; 0: it never expires.'),
    renewable: flag(),
    entity_id: text("Id of the token's entity. May be empty."),
    token_type: text('`service` or `batch`.'),
    orphan: flag('Whether the token stays valid when its parent is revoked.'),
    mfa_requirement: orNull(Type.Object({}, { description: 'Always null.' })),
    num_uses: integer('Number of remaining uses; 0: no limit.'),
  },
  'A new or renewed token.',
);

export const WrapInfo = component(
  'WrapInfo',
  {
    token: text('A single-use token for the wrapped answer.'),
    accessor: text(),
    ttl: seconds(),
    creation_time: time(),
    creation_path: text('Path of the wrapped request.'),
    wrapped_accessor: Type.Optional(text('Accessor of the wrapped token, if the answer is a login.')),
  },
  'Replaces an answer that is wrapped.',
);

export const Errors = component('Errors', { errors: texts('Error messages. Empty if nothing was found.') });

const nothing = (description: string) => orNull(Type.Object({}, { description }));
const ENVELOPE = {
  request_id: text(),
  lease_id: text(),
  renewable: flag(),
  lease_duration: seconds(),
  data: nothing('Always null here.'),
  wrap_info: nothing('Null unless the answer is wrapped; see `WrappedAnswer`.'),
  warnings: orNull(texts()),
  auth: nothing('Always null here.'),
};

/** Returns the schema of the envelope (spec §2.1) with content. */
function enveloped(name: string, content: TProperties, besides: TProperties = {}, more?: TSchema): Component {
  const whole = component(name, { ...besides, ...ENVELOPE, ...content });
  return more ? Object.assign({}, whole, { additionalProperties: more }) : whole;
}

/** Replaces any response with content if the request has the header `X-Vault-Wrap-TTL`. */
export const WrappedAnswer = enveloped('WrappedAnswer', { wrap_info: WrapInfo });

const KeyList = component('KeyList', { keys: texts() });
const WarningsAnswer = enveloped('WarningsAnswer', {});
/** The unwrapped response of any operation, with members beside the envelope. */
const AnyAnswer = enveloped(
  'AnyAnswer',
  { data: orNull(mapOf(Type.Unknown())), auth: orNull(Auth) },
  {},
  Type.Unknown(),
);

const NOTHING: Answer = { 204: null };
const WARNINGS: Answer = { 200: WarningsAnswer, 204: null };
const TAKEN: Answer = { 202: WarningsAnswer };
const REFUSAL: Answer = {};
const AUTH: Answer = { 200: enveloped('AuthAnswer', { auth: Auth }) };
const WRAPPED: Answer = { 200: WrappedAnswer };
const ANYTHING: Answer = { 200: AnyAnswer };

/** Declares a response without content. */
export const answersNothing = (): Answer => NOTHING;
/** Declares a response without content, or only with warnings. */
export const answersWarnings = (): Answer => WARNINGS;
/** Declares that the work continues in the background. */
export const answersTaken = (): Answer => TAKEN;
/** Declares that every request is refused. */
export const answersRefusal = (): Answer => REFUSAL;
/** Declares a token. */
export const answersAuth = (): Answer => AUTH;
/** Declares a wrapping token. */
export const answersWrapped = (): Answer => WRAPPED;
/** Declares the response of any other operation. */
export const answersAnything = (): Answer => ANYTHING;
/** Declares a body without the envelope, optionally for further statuses. */
export const answersBare = (body: Component, ...further: readonly number[]): Answer =>
  Object.fromEntries([200, ...further].map((status) => [status, body]));
/** Adds the case without content to a response. Warnings may be present without data. */
export const orNothing = (answer: Answer): Answer => ({
  ...Object.fromEntries(Object.entries(answer).map(([status, body]) => [status, body && maybeEmpty(body)])),
  ...NOTHING,
});

const maybeEmpty = memoizeByObject((body: Component): Component => {
  const { properties } = body as Component & { readonly properties: TProperties & { readonly data: TSchema } };
  return component(`${body.$id}OrNothing`, { ...properties, data: orNull(properties.data) });
});

// Cached for each schema, because a method declares its operations at every mount.

/** Declares the content of `data`. */
export const answersData = memoizeByObject(
  (data: Component): Answer => ({ 200: enveloped(`${data.$id}Answer`, { data }) }),
);

/** Declares the content of `data`, with its members also beside it, for older clients (`Reply.flat`). */
export const answersFlat = memoizeByObject((data: Component): Answer => {
  const { properties = {}, additionalProperties: more } = data as Component & {
    readonly properties?: TProperties;
    readonly additionalProperties?: TSchema;
  };
  return { 200: enveloped(`Flat${data.$id}Answer`, { data }, properties, more) };
});

const keysWith = memoizeByObject((info: Component) =>
  component(`${info.$id}List`, { keys: texts(), key_info: mapOf(info) }),
);

const keysMaybeWith = memoizeByObject((info: Component) =>
  component(`${info.$id}List`, { keys: texts(), key_info: optional(mapOf(info)) }),
);

/** Declares a list of names with details of each. 404 for an empty list. */
export const answersKeys = (info?: Component): Answer => answersData(info ? keysWith(info) : KeyList);
/** Declares a list of names, with details only on request. */
export const answersKeysInDetail = (info: Component): Answer => answersData(keysMaybeWith(info));
