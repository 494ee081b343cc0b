import { PolicyError, quoted } from './language/policy-error.ts';

/** The identity of a request, with the values that templates can use. */
export interface TemplateIdentity {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Aliases by the accessor of their mount. */
  readonly aliases: Readonly<Record<string, TemplateAlias>>;
  /** Groups of the entity, direct and inherited. */
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

/** The values that the templates of one token can use. */
export interface TemplateOwner {
  /** Undefined for a token without an entity. */
  readonly identity?: TemplateIdentity | undefined;
  /**
   * Metadata of the token. Undefined for a token that is not from a login: its creator has chosen the metadata, who may
   * be the holder of another token.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A placeholder: a value of the identity, or of the metadata of the token. */
type Expression =
  | { readonly valueOf: (identity: TemplateIdentity) => string | undefined }
  | { readonly metadataKey: string };

/** A text with placeholders. */
type Template = readonly (string | Expression)[];

/** Why a text cannot be filled in: a missing value, or a value that would change the meaning of the path. */
export type Unfillable = 'no-identity' | 'no-login' | 'missing' | 'refused';

export class UnfilledError extends Error {
  override readonly name = 'UnfilledError';
  readonly reason: Unfillable;

  constructor(reason: Unfillable) {
    super(`a template cannot be filled in: ${reason}`);
    this.reason = reason;
  }
}

/** Characters that a policy additionally allows in the values of its templates. */
export interface TemplateAllowance {
  /** Whether `*` and `+` are allowed in values. */
  readonly wildcards: boolean;
  readonly slashes: boolean;
}

export const PLAIN_VALUES: TemplateAllowance = { wildcards: false, slashes: false };

const CONTROL = /\p{Cc}/u;
const KNOWN =
  'known templates are identity.entity.id, .name and .metadata.KEY, identity.entity.aliases.ACCESSOR.id, ' +
  '.name, .metadata.KEY and .custom_metadata.KEY, and identity.groups.ids.ID or identity.groups.names.NAME ' +
  'with .id, .name or .metadata.KEY; and token.metadata.KEY';

/**
 * Parses a text with templates.
 * @returns undefined for a text without templates
 * @throws PolicyError for unbalanced braces and for unknown names
 */
export function parseTemplate(text: string): Template | undefined {
  if (!text.includes('{{') && !text.includes('}}')) return undefined;
  const [head = '', ...rest] = text.split('{{');
  const parts: (string | Expression)[] = [literal(head)];
  for (const piece of rest) {
    const end = piece.indexOf('}}');
    if (end < 0) throw new PolicyError('a template that opens with {{ must close with }}');
    parts.push(expression(piece.slice(0, end).trim()), literal(piece.slice(end + 2)));
  }
  return parts;
}

function literal(text: string): string {
  if (text.includes('}}')) throw new PolicyError('a template that closes with }} must open with {{');
  return text;
}

function expression(name: string): Expression {
  const metadataKey = /^token\.metadata\.(.+)$/s.exec(name)?.[1];
  if (metadataKey !== undefined) return { metadataKey };
  const found = entityExpression(name) ?? aliasExpression(name) ?? groupExpression(name);
  if (!found) throw new PolicyError(`unknown template ${quoted(name)}; ${KNOWN}`);
  return { valueOf: found };
}

type OfIdentity = (identity: TemplateIdentity) => string | undefined;

function entityExpression(name: string): OfIdentity | undefined {
  if (name === 'identity.entity.id') return (identity) => identity.id;
  if (name === 'identity.entity.name') return (identity) => identity.name;
  const key = /^identity\.entity\.metadata\.(.+)$/s.exec(name)?.[1];
  return key === undefined ? undefined : (identity) => own(identity.metadata, key);
}

function aliasExpression(name: string): OfIdentity | undefined {
  const found = /^identity\.entity\.aliases\.([^.]+)\.(?:(id|name)|(custom_)?metadata\.(.+))$/s.exec(name);
  if (!found) return undefined;
  const [, accessor = '', field, custom, key = ''] = found;
  return (identity) => {
    const alias = own(identity.aliases, accessor);
    if (field === 'id' || field === 'name') return alias?.[field];
    return alias && own((custom ? alias.customMetadata : alias.metadata) ?? {}, key);
  };
}

/** Reads a value of a group of the identity. */
function groupExpression(name: string): OfIdentity | undefined {
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
 * Fills in the templates of a text. Returns a text without templates unchanged.
 * @throws UnfilledError
 */
export function fillIn(text: string, owner: TemplateOwner, allowance = PLAIN_VALUES): string {
  const template = parseTemplate(text);
  if (!template) return text;
  return template.map((part) => (typeof part === 'string' ? part : checked(valueFor(part, owner), allowance))).join('');
}

function valueFor(expression: Expression, { identity, metadata }: TemplateOwner): string | undefined {
  if ('metadataKey' in expression) {
    if (!metadata) throw new UnfilledError('no-login');
    return own(metadata, expression.metadataKey);
  }
  if (!identity) throw new UnfilledError('no-identity');
  return expression.valueOf(identity);
}

/** Values that some templates use. */
export interface TemplateUses {
  readonly identity: boolean;
  /** Keys of the metadata of the token, without duplicates, sorted. */
  readonly metadataKeys: readonly string[];
}

/** Collects the values that templates use, so that an ACL is built only once for all tokens with the same values. */
export class TemplateUsesOf implements TemplateUses {
  identity = false;
  readonly #keys = new Set<string>();

  add(text: string): void {
    for (const part of parseTemplate(text) ?? []) {
      if (typeof part === 'string') continue;
      if ('metadataKey' in part) this.#keys.add(part.metadataKey);
      else this.identity = true;
    }
  }

  get metadataKeys(): readonly string[] {
    return [...this.#keys].sort();
  }
}

/**
 * Checks a value. It must stay within one path segment, so slashes and wildcards are refused unless the policy allows
 * them. Values come from certificates, whose issuers are not the authors of the policy (CVE-2026-5006).
 */
function checked(value: string | undefined, { wildcards, slashes }: TemplateAllowance): string {
  if (value === undefined || value === '') throw new UnfilledError('missing');
  const refused = CONTROL.test(value) || (!slashes && value.includes('/')) || (!wildcards && /[*+]/.test(value));
  if (refused) throw new UnfilledError('refused');
  return value;
}
