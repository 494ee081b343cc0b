import { PolicyError, quoted } from './language/policy-error.ts';

/** Who asks, as far as a template can name it. */
export interface TemplateIdentity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** By the accessor of the mount. */
  readonly aliases: Readonly<Record<string, TemplateAlias>>;
  /** That it belongs to, directly or by others. */
  readonly groups?: readonly TemplateGroup[];
}

export interface TemplateAlias {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata?: Readonly<Record<string, string>>;
}

export interface TemplateGroup {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

type Expression = (identity: TemplateIdentity) => string | undefined;

/** A text with places to fill in. */
type Template = readonly (string | Expression)[];

/** Why a text could not be filled in: nothing of that name, or a value that would change what the path means. */
export type Unfillable = 'no-identity' | 'missing' | 'refused';

export class UnfilledError extends Error {
  override readonly name = 'UnfilledError';
  readonly reason: Unfillable;

  constructor(reason: Unfillable) {
    super(`a template cannot be filled in: ${reason}`);
    this.reason = reason;
  }
}

/** What the values in a policy's templates may hold besides, because its author says so. */
export interface TemplateAllowance {
  /** `*` and `+` */
  readonly wildcards: boolean;
  readonly slashes: boolean;
}

export const PLAIN_VALUES: TemplateAllowance = { wildcards: false, slashes: false };

const CONTROL = /\p{Cc}/u;
const KNOWN =
  'known are identity.entity.id, .name and .metadata.KEY, ' +
  'identity.entity.aliases.ACCESSOR.id, .name, .metadata.KEY and .custom_metadata.KEY, ' +
  'and identity.groups.ids.ID or identity.groups.names.NAME with .id, .name or .metadata.KEY';

/**
 * @returns undefined for a text in which nothing is to be filled in
 * @throws PolicyError for braces that do not pair, and for names that nothing here has
 */
export function parseTemplate(text: string): Template | undefined {
  if (!text.includes('{{') && !text.includes('}}')) return undefined;
  const [head = '', ...rest] = text.split('{{');
  const parts: (string | Expression)[] = [literal(head)];
  for (const piece of rest) {
    const end = piece.indexOf('}}');
    if (end < 0) throw new PolicyError('a template that opens with {{ closes with }}');
    parts.push(expression(piece.slice(0, end).trim()), literal(piece.slice(end + 2)));
  }
  return parts;
}

function literal(text: string): string {
  if (text.includes('}}')) throw new PolicyError('a template that closes with }} opens with {{');
  return text;
}

function expression(name: string): Expression {
  const found = entityExpression(name) ?? aliasExpression(name) ?? groupExpression(name);
  if (!found) throw new PolicyError(`unknown template ${quoted(name)}; ${KNOWN}`);
  return found;
}

function entityExpression(name: string): Expression | undefined {
  if (name === 'identity.entity.id') return (identity) => identity.id;
  if (name === 'identity.entity.name') return (identity) => identity.name;
  const key = /^identity\.entity\.metadata\.(.+)$/s.exec(name)?.[1];
  return key === undefined ? undefined : (identity) => own(identity.metadata, key);
}

function aliasExpression(name: string): Expression | undefined {
  const found = /^identity\.entity\.aliases\.([^.]+)\.(?:(id|name)|(custom_)?metadata\.(.+))$/s.exec(name);
  if (!found) return undefined;
  const [, accessor = '', field, custom, key = ''] = found;
  return (identity) => {
    const alias = own(identity.aliases, accessor);
    if (field === 'id' || field === 'name') return alias?.[field];
    return alias && own((custom ? alias.customMetadata : alias.metadata) ?? {}, key);
  };
}

/** Of a group that whoever asks belongs to. */
function groupExpression(name: string): Expression | undefined {
  const found = /^identity\.groups\.(?:(ids)|names)\.([^.]+)\.(?:(id|name)|metadata\.(.+))$/s.exec(name);
  if (!found) return undefined;
  const [, ids, wanted = '', field, key = ''] = found;
  return ({ groups = [] }) => {
    const group = groups.find((one) => (ids ? one.id : one.name) === wanted);
    if (field === 'id' || field === 'name') return group?.[field];
    return group && own(group.metadata, key);
  };
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/**
 * The text with every value in its place; one without templates as it is.
 * @throws UnfilledError
 */
export function fillIn(text: string, identity: TemplateIdentity | undefined, allowance = PLAIN_VALUES): string {
  const template = parseTemplate(text);
  if (!template) return text;
  if (!identity) throw new UnfilledError('no-identity');
  return template.map((part) => (typeof part === 'string' ? part : checked(part(identity), allowance))).join('');
}

/**
 * A value stands for one part of a path. A slash or a wildcard in it makes it more than that, and values come from
 * certificates, whose authors are not the policy's (CVE-2026-5006): they are taken only where the policy says so.
 */
function checked(value: string | undefined, { wildcards, slashes }: TemplateAllowance): string {
  if (value === undefined || value === '') throw new UnfilledError('missing');
  const refused = CONTROL.test(value) || (!slashes && value.includes('/')) || (!wildcards && /[*+]/.test(value));
  if (refused) throw new UnfilledError('refused');
  return value;
}
