import { answersData, answersKeys, answersNothing, orNothing } from '../../operation/answer.ts';
import { described, text } from '../../operation/fields.ts';
import { listReply, PAGE_FIELDS, pageOf } from '../../operation/listing.ts';
import { DONE, type Operation, type Reply } from '../../operation/operation.ts';
import { idIn, keyIn, OF_ID, present } from '../common/request-key.ts';
import { AliasInfo, AliasShape, aliasInfo, aliasView, type ViewedAlias, WrittenAliasShape } from './alias-view.ts';

/** An alias that was written, and the entity or group that it belongs to. */
export interface WrittenAlias {
  readonly id: string;
  readonly canonicalId: string;
}

/** Field of a write without an id in its path. */
const ID = described({ id: text() }, { id: 'Id of the alias to update.' });

/** Aliases of one kind: of entities, or of external groups. */
interface Aliases<Alias> {
  readonly kind: 'entity' | 'group';
  readonly service: {
    readonly store: {
      find(id: string): Promise<Alias | undefined>;
      page(after: string, most: number): Promise<readonly Alias[]>;
    };
    /** Returns undefined if nothing has changed. */
    write(id: string | undefined, body: Readonly<Record<string, unknown>>): Promise<WrittenAlias | undefined>;
    remove(id: string): Promise<void>;
  };
  /** Fields of a write. */
  readonly fields: NonNullable<Operation['fields']>;
  readonly viewed: (alias: Alias) => ViewedAlias;
  readonly summaries: Readonly<Record<'create' | 'list' | 'read' | 'update' | 'delete', string>>;
}

/** Operations on aliases of one kind. */
export function aliasOperations<Alias>({
  kind,
  service,
  fields,
  viewed,
  summaries,
}: Aliases<Alias>): readonly Operation[] {
  const one = { path: `${kind}-alias/id/:id`, parameters: OF_ID };
  return [
    {
      path: `${kind}-alias`,
      verb: 'update',
      id: `${kind}-create-alias`,
      summary: summaries.create,
      answers: orNothing(answersData(WrittenAliasShape)),
      fields: { ...ID, ...fields },
      async handle({ data }) {
        const key = keyIn(data);
        return written(await service.write(key && 'id' in key ? key.id : undefined, data));
      },
    },
    {
      path: `${kind}-alias/id`,
      verb: 'list',
      id: `${kind}-list-aliases-by-id`,
      summary: summaries.list,
      answers: answersKeys(AliasInfo),
      fields: PAGE_FIELDS,
      async handle({ data }) {
        const { after, most } = pageOf(data);
        const found = (await service.store.page(after, most)).map(viewed);
        return listReply(
          found.map(({ id }) => id),
          Object.fromEntries(found.map((alias) => [alias.id, aliasInfo(alias)])),
        );
      },
    },
    {
      ...one,
      verb: 'read',
      id: `${kind}-read-alias-by-id`,
      summary: summaries.read,
      answers: answersData(AliasShape),
      async handle(call) {
        return { data: aliasView(viewed(present(await service.store.find(idIn(call))))) };
      },
    },
    {
      ...one,
      verb: 'update',
      id: `${kind}-update-alias-by-id`,
      summary: summaries.update,
      answers: orNothing(answersData(WrittenAliasShape)),
      fields,
      handle: async (call) => written(await service.write(idIn(call), call.data)),
    },
    {
      ...one,
      verb: 'delete',
      id: `${kind}-delete-alias-by-id`,
      summary: summaries.delete,
      answers: answersNothing(),
      async handle(call) {
        await service.remove(idIn(call));
        return DONE;
      },
    },
  ];
}

/** Returns no data if nothing has changed. */
function written(alias: WrittenAlias | undefined): Reply {
  return alias ? { data: { id: alias.id, canonical_id: alias.canonicalId } } : DONE;
}
