import { AppError } from '../../../lib/errors.ts';
import { component, listOf, optional, text, texts } from '../../operation/schema.ts';
import type { MountedAlias } from '../alias/alias.ts';
import type { Entity } from './entity.ts';

interface Side {
  readonly entity: Entity;
  readonly alias: MountedAlias;
}

/** Two aliases at one mount, of entities to merge. */
export interface Clashing {
  readonly to: Side;
  readonly from: Side;
}

/** Refusal of a merge. `data` lists the aliases to choose from. */
export const RefusedMerge = component('RefusedMerge', {
  errors: texts(),
  data: optional(
    listOf(
      component('ClashingAlias', {
        alias: text(),
        entity: text(),
        entity_id: text(),
        mount: text('`cert`'),
        mount_path: text('`auth/cert/`'),
      }),
      'Conflicting aliases, of which only one for each mount can stay.',
    ),
  ),
});

/** Thrown if the request must name the conflicting aliases to keep. */
export class Clash extends AppError {
  readonly #clashes: readonly Clashing[];

  constructor(clashes: readonly Clashing[]) {
    const told = clashes.map(({ to, from }) => {
      const entities = `toEntity ID: ${to.entity.id}, fromEntity ID: ${from.entity.id}`;
      const aliases = `conflicting toEntity alias ID: ${to.alias.id}, conflicting fromEntity alias ID: ${from.alias.id}`;
      return `mountAccessor: ${to.alias.mountAccessor}, ${entities}, ${aliases}`;
    });
    const asked = 'repeat the merge request specifying exactly one fromEntity, clashes: ';
    super(
      'bad-request',
      `toEntity and at least one fromEntity have aliases with the same mount accessor, ${asked}${told.join('; ')}`,
    );
    this.#clashes = clashes;
  }

  /** Returns both aliases of each conflict, for clients to choose from. */
  view(): Record<string, string>[] {
    return this.#clashes.flatMap(({ to, from }) => [to, from].map(sideView));
  }
}

function sideView({ entity, alias }: Side): Record<string, string> {
  return {
    alias: alias.name,
    entity: entity.name,
    entity_id: entity.id,
    mount: alias.mountType,
    mount_path: `auth/${alias.mountPath}/`,
  };
}
