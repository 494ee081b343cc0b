import { AppError } from '../../lib/errors.ts';
import { flag, parseFields, text } from '../fields.ts';
import type { Entity } from './entity.ts';

type Body = Readonly<Record<string, unknown>>;

/** @limit the name of an entity, characters -> 400 */
const MAX_NAME = 256;
/** @limit metadata of an entity, entries -> 400 */
const MAX_KEYS = 64;
/** @limit the name of an entry of metadata, characters -> 400 */
const MAX_KEY = 128;
/** @limit the value of an entry of metadata, characters -> 400 */
const MAX_VALUE = 512;

const FIELDS = { name: text(), disabled: flag() };

/** What a write of an entity may name. */
export const ENTITY_FIELDS = FIELDS;

/**
 * A write merges; `metadata` is replaced whole.
 * @throws AppError bad-request
 */
export function mergeEntity(stored: Entity, body: Body, now: number): Entity {
  const { name = stored.name, disabled = stored.disabled } = parseFields(FIELDS, body).values;
  refusePolicies(body);
  return { ...stored, name: entityName(name), disabled, metadata: metadataOf(stored, body), updatedAt: now };
}

/**
 * The form in which names of entities are stored and looked up: one part of a path.
 * @throws AppError bad-request
 */
export function entityName(text: string): string {
  const name = plainName(text);
  if (name !== '' && name.length <= MAX_NAME && !/[/\p{Cc}]/u.test(name)) return name;
  throw new AppError(
    'bad-request',
    `'name' must have 1 to ${MAX_NAME} characters, without slashes and control characters`,
  );
}

/** A name in the one spelling in which it is compared. */
export function plainName(text: string): string {
  return text.normalize('NFC').trim();
}

/** Clients that manage policies elsewhere send an empty list; anything else would be lost without a word. */
function refusePolicies({ policies }: Body): void {
  if (policies === undefined || policies === null || policies === '') return;
  if (Array.isArray(policies) && policies.length === 0) return;
  throw new AppError('bad-request', 'entities have no policies here: a role of a method gives them');
}

function metadataOf(stored: Entity, { metadata }: Body): Readonly<Record<string, string>> {
  if (metadata === undefined || metadata === null) return stored.metadata;
  const entries = typeof metadata === 'object' && !Array.isArray(metadata) ? Object.entries(metadata) : undefined;
  if (!entries || entries.length > MAX_KEYS || !entries.every(isPair)) {
    const limits = `${MAX_KEYS} texts of at most ${MAX_VALUE} characters, with names of at most ${MAX_KEY}`;
    throw new AppError('bad-request', `'metadata' must be an object of at most ${limits}`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function isPair([key, value]: [string, unknown]): boolean {
  return key !== '' && key.length <= MAX_KEY && typeof value === 'string' && value.length <= MAX_VALUE;
}
