import { expect, test } from 'vitest';
import { pinOf } from './pin.ts';

const FOLLOWED = { thing: 'id', part: 'thing_id' };

test.each([
  ['select t.name from thing t where t.id = ?1', 0],
  ["SELECT t.name FROM thing AS t JOIN owner o ON o.id = t.owner WHERE o.name = ?1 AND t.id = ?2 AND t.name < '~'", 1],
  ['select t.name, (select max(p.size) from part p where p.thing_id = t.id) from thing t where t.id = ?1', 0],
  ['select p.name from part p where p.thing_id = ?1', 0],
  ['select t.name from thing t where t.id in (?, ?, ?) and t.size = 1', 'each'],
])('recognizes the row in %s', (text, pin) => {
  expect(pinOf(text, FOLLOWED)).toBe(pin);
});

test.each([
  'select name from owner where id = ?1',
  'select name from thing where id = ?1',
  'select t.name from thing t where t.id = ?1 or t.size > 1',
  'select t.name from thing t where not t.id = ?1',
  'select t.name from thing t where t.id > ?1',
  'select t.name from thing t, thing x where t.id = ?1 and x.id = ?1',
  'select t.name from thing t join thing x on x.name = t.name where t.id = ?1',
  'select t.name from thing t join thing x on x.id = ?2 where t.id = ?1',
  'select t.name from thing t join part p on p.thing_id = t.id and t.id = p.thing_id where t.size = ?1',
  'select t.name from thing t where t.id = ?1 union all select t.name from thing t',
  'select t.name, (select max(p.size) from part p) from thing t where t.id = ?1',
  'select t.name, (select max(p.size) from part p), (select 1 from part p where p.thing_id = t.id) from thing t where t.id = ?1',
  'select t.name from thing t where t.id in (select id from owner)',
  'with t as (select 1 as id) select name from thing where id = ?1',
])('recognizes no row in %s', (text) => {
  expect(pinOf(text, FOLLOWED)).toBeUndefined();
});
