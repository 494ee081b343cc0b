import { randomUUID } from 'node:crypto';
import { generatedName } from '../common/names.ts';
import type { Entity } from './entity.ts';

/** Returns an entity with a generated name and default values. */
export function newEntity(now: number): Entity {
  return {
    id: randomUUID(),
    name: generatedName('entity'),
    metadata: {},
    policies: [],
    disabled: false,
    createdAt: now,
    updatedAt: now,
  };
}
