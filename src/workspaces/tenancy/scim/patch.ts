import { type Path, readPath } from './path.ts';
import { isObject, type Json, keyOf, member } from './resource.ts';
import { scimError } from './scim-error.ts';

/** One operation on a resource. */
export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: Path | undefined;
  readonly value: unknown;
}

/** @limit operations of one SCIM PATCH, operations -> 400 */
const MOST_OPERATIONS = 1_000;
/** @limit values of one SCIM attribute of a user, values -> 400 */
const MOST_VALUES = 100;

const OPS: readonly string[] = ['add', 'replace', 'remove'];

/**
 * Parses the operations of a PATCH. Some directories write `Replace`, or set several attributes in one value without a
 * path.
 * @throws 400
 */
export function readOperations(body: unknown): readonly Operation[] {
  const given = isObject(body) ? member(body, 'Operations') : undefined;
  if (!Array.isArray(given)) throw scimError('invalidSyntax', 'Operations: are missing');
  if (given.length > MOST_OPERATIONS)
    throw scimError('tooMany', `A request may have at most ${MOST_OPERATIONS} operations`);
  return given.flatMap(read);
}

function read(given: unknown): readonly Operation[] {
  const op = isObject(given) && typeof given.op === 'string' ? given.op.toLowerCase() : '';
  if (!isObject(given) || !OPS.includes(op)) throw scimError('invalidSyntax', 'op: must be add, replace or remove');
  const { path, value } = given;
  const verb = op as Operation['op'];
  if (path !== undefined && path !== '') return [{ op: verb, path: readPath(path), value }];
  if (verb === 'remove') throw scimError('noTarget', 'path: is required for remove');
  if (!isObject(value)) throw scimError('invalidValue', 'value: must be an object if there is no path');
  return Object.entries(value).flatMap(([name, one]) => {
    // An extension is named by its whole URN and contains its attributes.
    if (/^urn:/i.test(name) && isObject(one)) {
      return Object.entries(one).map(([part, inner]) => ({
        op: verb,
        path: readPath(`${name}:${part}`),
        value: inner,
      }));
    }
    return [{ op: verb, path: readPath(name), value: one }];
  });
}

/**
 * Returns the resource after the operations.
 * @throws 400
 */
export function patched(resource: Json, operations: readonly Operation[]): Json {
  const next = structuredClone(resource);
  for (const operation of operations) if (operation.path) apply(next, operation, operation.path);
  return next;
}

function apply(resource: Json, operation: Operation, path: Path): void {
  const holder = path.schema === undefined ? resource : inner(resource, path.schema);
  const name = keyOf(holder, path.attribute);
  if (path.filter) applyToSome(holder, name, operation, path);
  else if (path.sub === undefined) applyToWhole(holder, name, operation);
  else applyToPart(holder, name, operation, path.sub);
}

function applyToWhole(holder: Json, name: string, operation: Operation): void {
  if (operation.op !== 'remove') {
    const before = holder[name];
    const isMore = operation.op === 'add' && Array.isArray(before);
    holder[name] = isMore ? bounded(merged(before, [operation.value].flat())) : bounded(operation.value);
    return;
  }
  const gone = Array.isArray(operation.value) ? operation.value.map(valueIn) : [];
  const before = holder[name];
  if (gone.length > 0 && Array.isArray(before)) holder[name] = before.filter((one) => !gone.includes(valueIn(one)));
  else delete holder[name];
}

/**
 * Changes those values of a multi-valued attribute that match the filter: `emails[type eq "work"].value`. Adds a value
 * if none matches.
 */
function applyToSome(holder: Json, name: string, { op, value }: Operation, { filter, sub }: Path): void {
  if (filter === undefined) return;
  const before = holder[name];
  const all: unknown[] = Array.isArray(before) ? before : [];
  const fits = (one: unknown) => {
    const held = isObject(one) ? member(one, filter.attribute) : undefined;
    return (typeof held === 'string' || typeof held === 'boolean') && `${held}` === filter.value;
  };
  const some = all.filter(fits).filter(isObject);
  if (op === 'remove') {
    if (sub === undefined) holder[name] = all.filter((one) => !fits(one));
    else for (const one of some) delete one[keyOf(one, sub)];
    return;
  }
  const made: Json = { [filter.attribute]: filter.value };
  if (some.length === 0) holder[name] = bounded([...all, made]);
  for (const one of some.length === 0 ? [made] : some) {
    if (sub !== undefined) one[keyOf(one, sub)] = value;
    else if (isObject(value)) Object.assign(one, value);
    else throw scimError('invalidValue', 'value: must be an object');
  }
}

function applyToPart(holder: Json, name: string, { op, value }: Operation, sub: string): void {
  const before = holder[name];
  const all = Array.isArray(before) ? before.filter(isObject) : [inner(holder, name)];
  for (const one of all) {
    if (op === 'remove') delete one[keyOf(one, sub)];
    else one[keyOf(one, sub)] = value;
  }
}

function inner(holder: Json, name: string): Json {
  const found = holder[name];
  if (isObject(found)) return found;
  const made: Json = {};
  holder[name] = made;
  return made;
}

const valueIn = (one: unknown): unknown => (isObject(one) ? member(one, 'value') : one);

function merged(before: readonly unknown[], more: readonly unknown[]): unknown[] {
  const known = new Set(before.map((one) => JSON.stringify(one)));
  return [...before, ...more.filter((one) => !known.has(JSON.stringify(one)))];
}

function bounded(value: unknown): unknown {
  if (Array.isArray(value) && value.length > MOST_VALUES) {
    throw scimError('tooMany', `There are at most ${MOST_VALUES} values of one attribute`);
  }
  return value;
}
