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
 * What an operation answers when it does what it was asked, by status: the schema of the body, or null where there is none.
 * For the OpenAPI document, and for the tests, which hold every answer against it. Whatever is refused has the shape of `Errors`.
 */
export type Answer = Readonly<Record<number, Component | null>>;

export const Auth = component(
  'Auth',
  {
    client_token: text('The token. Empty where it is not the caller’s to know.'),
    accessor: text('Names the token without being it. Empty for a batch token.'),
    policies: texts('All that it has.'),
    token_policies: texts('Of its own.'),
    identity_policies: Type.Optional(texts('Of whoever it stands for, and of the groups that this is in.')),
    metadata: orNull(mapOf(text())),
    lease_duration: seconds('How long the token lives; 0: it does not end.'),
    renewable: flag(),
    entity_id: text('Whom the token stands for; may be empty.'),
    token_type: text('`service` or `batch`.'),
    orphan: flag('Whether it lives on when the token that made it ends.'),
    mfa_requirement: orNull(Type.Object({}, { description: 'Always null.' })),
    num_uses: integer('How often the token can be used; 0: no limit.'),
  },
  'A token, as it is given out or renewed.',
);

export const WrapInfo = component(
  'WrapInfo',
  {
    token: text('A token that is good once, for the answer that it stands for.'),
    accessor: text(),
    ttl: seconds(),
    creation_time: time(),
    creation_path: text('The path of the request that was answered.'),
    wrapped_accessor: Type.Optional(text('Of the token inside, where the answer is a login.')),
  },
  'What stands in place of an answer that was wrapped.',
);

export const Errors = component('Errors', { errors: texts('Empty where there is nothing to be found.') });

const nothing = (description: string) => orNull(Type.Object({}, { description }));
const ENVELOPE = {
  request_id: text(),
  lease_id: text(),
  renewable: flag(),
  lease_duration: seconds(),
  data: nothing('Null here.'),
  wrap_info: nothing('Null, unless the answer was asked for wrapped: see `WrappedAnswer`.'),
  warnings: orNull(texts()),
  auth: nothing('Null here.'),
};

/** The envelope (spec §2.1) with what is in it. */
function enveloped(name: string, content: TProperties, besides: TProperties = {}, more?: TSchema): Component {
  const whole = component(name, { ...besides, ...ENVELOPE, ...content });
  return more ? Object.assign({}, whole, { additionalProperties: more }) : whole;
}

/** Comes in place of any answer with something in it, to a request with the header `X-Vault-Wrap-TTL`. */
export const WrappedAnswer = enveloped('WrappedAnswer', { wrap_info: WrapInfo });

const KeyList = component('KeyList', { keys: texts() });
const WarningsAnswer = enveloped('WarningsAnswer', {});
/** Whatever another operation has answered, members beside the envelope and all. */
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

/** Nothing but that it is done. */
export const answersNothing = (): Answer => NOTHING;
/** Nothing but that it is done, and what should be known about that, if there is something. */
export const answersWarnings = (): Answer => WARNINGS;
/** That it goes on by itself. */
export const answersTaken = (): Answer => TAKEN;
/** No request is ever granted. */
export const answersRefusal = (): Answer => REFUSAL;
/** A token. */
export const answersAuth = (): Answer => AUTH;
/** A token for what was to be wrapped. */
export const answersWrapped = (): Answer => WRAPPED;
/** What another operation has answered. */
export const answersAnything = (): Answer => ANYTHING;
/** A body without the envelope; with further statuses where there are several for it. */
export const answersBare = (body: Component, ...further: readonly number[]): Answer =>
  Object.fromEntries([200, ...further].map((status) => [status, body]));
/** Answers with data, or with warnings only where there is no data. */
export const orNothing = (answer: Answer): Answer => ({
  ...Object.fromEntries(Object.entries(answer).map(([status, body]) => [status, body && maybeEmpty(body)])),
  ...NOTHING,
});

const maybeEmpty = memoizeByObject((body: Component): Component => {
  const { properties } = body as Component & { readonly properties: TProperties & { readonly data: TSchema } };
  return component(`${body.$id}OrNothing`, { ...properties, data: orNull(properties.data) });
});

// Made once for each schema: a method declares its operations at every mount.

/** What is in `data`. */
export const answersData = memoizeByObject(
  (data: Component): Answer => ({ 200: enveloped(`${data.$id}Answer`, { data }) }),
);

/** What is in `data`, and the same members beside it, for old clients (`Reply.flat`). */
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

/** Names, and what is to be known of each. 404 when there is none. */
export const answersKeys = (info?: Component): Answer => answersData(info ? keysWith(info) : KeyList);
/** The same where only who asks for it is told what is to be known of each. */
export const answersKeysInDetail = (info: Component): Answer => answersData(keysMaybeWith(info));
