import fc from 'fast-check';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { nullable, text } from '../jsonapi/schema.ts';
import {
  attribute,
  createBody,
  is,
  link,
  membersOf,
  optional,
  relationship,
  required,
  resourceOf,
  statusTimes,
  time,
  timeOrNull,
  toMany,
  toOne,
  toOneOf,
  updateBody,
} from './index.ts';

interface Door {
  readonly id: string;
  readonly label: string;
  readonly width: number | null;
  readonly keys: readonly string[];
  readonly houseId: string | null;
  readonly opener: { readonly type: 'users' | 'teams'; readonly id: string } | null;
  readonly madeAt: number;
  readonly openedAt: number | null;
  readonly note?: string;
}

const kind = Type.Enum(['inner', 'outer']);

const DoorResource = resourceOf<Door, [isOuter: boolean]>()('doors', {
  attributes: {
    label: attribute(is.text, 'label', required(text(10))),
    kind: attribute(kind, (_, isOuter) => (isOuter ? 'outer' : 'inner'), { create: kind }),
    width: attribute(is.integerOrNull, 'width', optional(nullable(is.integer))),
    'secret-code': optional(text(4)),
    'key-count': attribute(is.integer, ({ keys }) => keys.length),
    note: attribute(Type.Optional(is.text), ({ note }) => note, { update: Type.Optional(is.text) }),
    'made-at': time('madeAt'),
    'opened-at': timeOrNull('openedAt'),
  },
  relationships: {
    house: toOne('houses', 'houseId'),
    keys: toMany('keys', 'keys'),
    opener: toOneOf(['users', 'teams'], ({ opener }) => opener),
    history: link(({ id }) => `/doors/${id}/history`),
    neighbour: relationship(Type.Optional(is.toOne('doors')), ({ houseId }) =>
      houseId === null ? undefined : { data: { type: 'doors', id: houseId } },
    ),
  },
  links: ({ id }) => ({ self: `/doors/${id}` }),
});

const DOOR: Door = {
  ...{ id: 'door-1', label: 'Front', width: 90, keys: ['key-1', 'key-2'], houseId: 'house-1' },
  ...{ opener: { type: 'users', id: 'alice' }, madeAt: 0, openedAt: 1_000, note: 'squeaks' },
};
const BARE: Door = {
  ...{ id: 'door-2', label: '', width: null, keys: [], houseId: null, opener: null, madeAt: 0, openedAt: null },
};

describe('the document of a model', () => {
  test('has its attributes and relationships in the order of the declaration', () => {
    expect(JSON.stringify(DoorResource.document(DOOR, true))).toBe(
      JSON.stringify({
        id: 'door-1',
        type: 'doors',
        attributes: {
          ...{ label: 'Front', kind: 'outer', width: 90, 'key-count': 2 },
          ...{ 'made-at': '1970-01-01T00:00:00.000Z', 'opened-at': '1970-01-01T00:00:01.000Z', note: 'squeaks' },
        },
        relationships: {
          house: { data: { type: 'houses', id: 'house-1' } },
          keys: {
            data: [
              { type: 'keys', id: 'key-1' },
              { type: 'keys', id: 'key-2' },
            ],
          },
          opener: { data: { type: 'users', id: 'alice' } },
          history: { links: { related: '/doors/door-1/history' } },
          neighbour: { data: { type: 'doors', id: 'house-1' } },
        },
        links: { self: '/doors/door-1' },
      }),
    );
  });

  test('has null for nothing, and no optional member without a value', () => {
    const { attributes, relationships } = DoorResource.document(BARE, false);
    expect(attributes).toEqual({
      ...{ label: '', kind: 'inner', width: null, 'key-count': 0 },
      ...{ 'made-at': '1970-01-01T00:00:00.000Z', 'opened-at': null },
    });
    expect(Object.keys(attributes)).not.toContain('note');
    expect(relationships).toEqual({
      house: { data: null },
      keys: { data: [] },
      opener: { data: null },
      history: { links: { related: '/doors/door-2/history' } },
    });
  });

  test('contains no attribute that is only written', () => {
    expect(JSON.stringify(DoorResource.document({ ...DOOR, 'secret-code': '1234' } as Door, true))).not.toContain(
      '1234',
    );
  });

  test('has the declared id, and neither relationships nor links without a declaration', () => {
    const Lamp = resourceOf<{ readonly name: string }>()('lamps', {
      attributes: { name: attribute(is.text, 'name') },
      id: ({ name }) => `lamp-${name}`,
    });
    expect(Lamp.document({ name: 'hall' })).toEqual({ id: 'lamp-hall', type: 'lamps', attributes: { name: 'hall' } });
  });

  test('keeps names and texts with any characters', () => {
    const odd = 'a-"b"\n\\${`';
    const Odd = resourceOf<{ readonly id: string; readonly [odd]: string }>()(odd, {
      attributes: { [odd]: attribute(is.text, (model: { readonly [odd]: string }) => model[odd]) },
    });
    expect(Odd.document({ id: odd, [odd]: odd })).toEqual({ id: odd, type: odd, attributes: { [odd]: odd } });
  });
});

test('every document matches the schema of its resource', () => {
  const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const ms = fc.integer({ min: 0, max: 4e12 });
  const doors = fc.record(
    {
      ...{ id: fc.string(), label: fc.string(), width: orNull(fc.integer()), keys: fc.array(fc.string()) },
      opener: orNull(fc.record({ type: fc.constantFrom('users' as const, 'teams' as const), id: fc.string() })),
      ...{ houseId: orNull(fc.string()), madeAt: ms, openedAt: orNull(ms), note: fc.string() },
    },
    { requiredKeys: ['id', 'label', 'width', 'keys', 'opener', 'houseId', 'madeAt', 'openedAt'] },
  );
  fc.assert(
    fc.property(doors, fc.boolean(), (door, isOuter) => {
      expect(Check(DoorResource.schema, DoorResource.document(door, isOuter))).toBe(true);
    }),
  );
});

describe('the schema of a resource', () => {
  const { attributes, relationships } = (DoorResource.schema as unknown as { properties: Record<string, TSchema> })
    .properties as Record<string, { readonly properties: object; readonly required: readonly string[] }>;

  test('has what documents have, and requires what they always have', () => {
    const shown = ['label', 'kind', 'width', 'key-count', 'note', 'made-at', 'opened-at'];
    expect(Object.keys(attributes?.properties ?? {})).toEqual(shown);
    expect(attributes?.required).toEqual(shown.filter((name) => name !== 'note'));
    expect(Object.keys(relationships?.properties ?? {})).toEqual(['house', 'keys', 'opener', 'history', 'neighbour']);
    expect(relationships?.required).not.toContain('neighbour');
  });

  test.each<[string, (document: Record<string, object>) => void]>([
    ['another type', (document) => Object.assign(document, { type: 'windows' })],
    ['an attribute of another type', ({ attributes: own }) => Object.assign(own ?? {}, { width: 'wide' })],
    [
      'a relationship to another type',
      ({ relationships: own }) => Object.assign(own ?? {}, { house: { data: { type: 'cars', id: '1' } } }),
    ],
  ])('refuses %s', (_, change) => {
    const document = structuredClone(DoorResource.document(DOOR, true)) as unknown as Record<string, object>;
    change(document);
    expect(Check(DoorResource.schema, document)).toBe(false);
  });
});

describe('the bodies of requests', () => {
  const related = { house: Type.Object({ data: Type.Object({ id: text(9) }) }) };
  const create = createBody(DoorResource, related);
  const update = updateBody(DoorResource, related);

  test('have only written attributes, those of secrets too', () => {
    expect(Object.keys(DoorResource.create.properties)).toEqual(['label', 'kind', 'width', 'secret-code']);
    expect(Object.keys(DoorResource.update.properties)).toEqual(['label', 'width', 'secret-code', 'note']);
  });

  test('a create body needs what is required, an update body needs nothing', () => {
    const created = { type: 'doors', attributes: { label: 'x', kind: 'inner' } };
    expect(Check(create, { data: created })).toBe(true);
    expect(Check(create, { data: { ...created, attributes: { label: 'x' } } })).toBe(false);
    expect(Check(create, { data: { type: 'doors' } })).toBe(false);
    expect(Check(update, { data: {} })).toBe(true);
    expect(Check(update, { data: { attributes: {}, relationships: { house: { data: { id: '1' } } } } })).toBe(true);
  });

  test('refuse another type, a wrong value and a wrong relationship', () => {
    expect(Check(update, { data: { type: 'windows' } })).toBe(false);
    expect(Check(update, { data: { attributes: { 'secret-code': '12345' } } })).toBe(false);
    expect(Check(update, { data: { attributes: { width: 'wide' } } })).toBe(false);
    expect(Check(update, { data: { relationships: { house: { data: { id: 7 } } } } })).toBe(false);
  });

  test('have the types of their schemas', () => {
    type Created = Static<typeof create>['data']['attributes'];
    expectTypeOf<Created['kind']>().toEqualTypeOf<'inner' | 'outer'>();
    expectTypeOf<Created['width']>().toEqualTypeOf<number | null | undefined>();
    // @ts-expect-error: documents have it, bodies do not
    expectTypeOf<Created['key-count']>().toBeNumber();
  });
});

// The type check runs these tests.
describe('a declaration that does not fit the model does not compile', () => {
  test('a property that does not exist, or that has another type', () => {
    // @ts-expect-error: a door has no color
    resourceOf<Door>()('doors', { attributes: { color: attribute(is.text, 'color') } });
    // @ts-expect-error: the width may be null
    resourceOf<Door>()('doors', { attributes: { width: attribute(is.integer, 'width') } });
    // @ts-expect-error: the label is no time
    resourceOf<Door>()('doors', { attributes: { label: time('label') } });
  });

  test('a value that may be absent for an attribute that is always there', () => {
    // @ts-expect-error: the note may be absent
    resourceOf<Door>()('doors', { attributes: { note: attribute(is.text, ({ note }) => note) } });
  });

  test('a relationship to the wrong number of resources, and a model without an id', () => {
    // @ts-expect-error: a door has several keys
    resourceOf<Door>()('doors', { attributes: {}, relationships: { key: toOne('keys', 'keys') } });
    // @ts-expect-error: the id is not declared
    resourceOf<{ readonly name: string }>()('lamps', { attributes: {} });
  });
});

describe('members of a part of the model', () => {
  interface Room {
    readonly id: string;
    readonly settings: { readonly lit: boolean; readonly heated: boolean; readonly floor: string | null };
  }
  const settings = membersOf<Room, [suffix: string]>()((room) => room.settings);
  const Room = resourceOf<Room, [suffix: string]>()('rooms', {
    attributes: {
      ...settings(is.flag, ['lit', 'heated'], optional(Type.Boolean())),
      ...settings(is.textOrNull, ['floor']),
    },
  });

  test('have the names of the part, and are written as declared', () => {
    const shown = { lit: true, heated: false, floor: null };
    expect(Room.document({ id: 'room-1', settings: shown }, '')).toEqual({
      ...{ id: 'room-1', type: 'rooms' },
      attributes: shown,
    });
    expect(Object.keys(Room.update.properties)).toEqual(['lit', 'heated']);
    expectTypeOf<Static<typeof Room.update>['lit']>().toEqualTypeOf<boolean | undefined>();
  });

  test('have the type of the shape', () => {
    // @ts-expect-error: the floor is no flag
    settings(is.flag, ['floor']);
    // @ts-expect-error: the floor may be null
    settings(is.text, ['floor']);
  });
});

test('times of statuses have their names in the API', () => {
  expect(statusTimes({ queued: 0, plan_queued: 1_000 })).toEqual({
    'queued-at': '1970-01-01T00:00:00.000Z',
    'plan-queued-at': '1970-01-01T00:00:01.000Z',
  });
});
