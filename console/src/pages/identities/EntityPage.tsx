import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Danger } from '../../components/destroy/Danger.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { PolicyNames } from '../../components/policy-names/PolicyNames.tsx';
import { Section, Split } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { exact } from '../../format/time.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { Disabled } from './EntitiesPage.tsx';
import { PoliciesForm } from './PoliciesForm.tsx';
import * as texts from './texts.ts';

const READ = 'GET /identity/entity/id/{id}';
const WRITE = 'POST /identity/entity/id/{id}';
const EVERY_MS = 5_000;
const route = getRouteApi('/signed-in/~access/identities/entity/$id');

type Entity = Schemas['Entity'];

/** One entity: its aliases, policies and groups. */
export function EntityPage() {
  const { id } = route.useParams();
  const input = { path: { id } };
  const path = `identity/entity/id/${id}`;
  const entity = useQuery({ ...access.query(READ, input), refetchInterval: EVERY_MS });
  usePlace([
    { label: texts.access },
    { label: texts.identities, to: '/~access/identities' },
    { label: entity.data?.data.name ?? id },
  ]);
  usePathLine({ request: access.request(READ, input), command: `lockkeeper read ${path}` });
  const may = useMay([path]);
  const mayWrite = may(path, 'update');
  return (
    <QueryResult query={entity} what={texts.entity2(id)} missing={<Missing capability="read" path={path} />} isPage>
      {({ data }) => (
        <>
          <PageHead
            title={data.name}
            beside={data.disabled ? <Disabled /> : <span className="soft">{texts.entity}</span>}
            actions={
              <>
                {mayWrite && <Switch entity={data} />}
                {may(path, 'delete') && <Remove entity={data} />}
              </>
            }
          />
          {data.disabled && (
            <Banner is="bad" icon="gate-shut">
              {texts.thisEntityCannotLog}
            </Banner>
          )}
          <Split aside={<About entity={data} />}>
            <Section title={texts.aliases} note={texts.namesOfTheEntity}>
              <Aliases aliases={data.aliases} />
            </Section>
            <Section title={texts.policies} note={texts.inAdditionToThose}>
              {mayWrite ? (
                <PoliciesForm
                  key={data.policies.join()}
                  policies={data.policies}
                  save={(policies) => access.send(WRITE, { path: { id }, body: { policies } })}
                />
              ) : (
                <PolicyNames names={data.policies} />
              )}
            </Section>
          </Split>
        </>
      )}
    </QueryResult>
  );
}

function About({ entity }: { readonly entity: Entity }) {
  const groups = entity.direct_group_ids;
  return (
    <>
      <h2>{texts.entity3}</h2>
      <Facts
        of={[
          [texts.id, <Copyable key="id" text={entity.id} what={texts.id2} />],
          [texts.created, exact(entity.creation_time)],
          [texts.updated, exact(entity.last_update_time)],
          [texts.merged, entity.merged_entity_ids && texts.otherEntities(entity.merged_entity_ids.length)],
          [
            texts.groups,
            groups.length > 0 &&
              groups.map((group) => (
                <Link key={group} className="link mono" to="/~access/identities/group/$id" params={{ id: group }}>
                  {group}{' '}
                </Link>
              )),
          ],
          [
            texts.inheritedGroups,
            entity.inherited_group_ids.length > 0 && texts.groups2(entity.inherited_group_ids.length),
          ],
          ...Object.entries(entity.metadata),
        ]}
      />
    </>
  );
}

function Aliases({ aliases }: { readonly aliases: Entity['aliases'] }) {
  if (aliases.length === 0) return <p className="soft">{texts.noAliasesNoLogin}</p>;
  return (
    <Table
      flush
      label={texts.aliases}
      twoLines
      items={aliases}
      keyOf={({ id }) => id}
      columns={[
        { id: 'name', head: texts.name, isName: true, cell: ({ name }) => name },
        { id: 'mount', head: texts.mount, cell: ({ mount_path: path }) => <code>{path}</code> },
        { id: 'made', head: texts.created, cell: ({ creation_time: time }) => exact(time) },
      ]}
    />
  );
}

function Switch({ entity: { id, name, disabled } }: { readonly entity: Entity }) {
  const queries = useQueryClient();
  const set = (next: boolean) => access.send(WRITE, { path: { id }, body: { disabled: next } });
  const enable = useMutation({
    mutationFn: () => set(false),
    onSuccess: async () => {
      announce(texts.enabled);
      await queries.invalidateQueries({ queryKey: access.key() });
    },
  });
  if (disabled)
    return <Button onClick={() => enable.mutate()}>{enable.isPending ? texts.enabling : texts.enable}</Button>;
  return (
    <Danger
      button={texts.disable}
      title={texts.disable2(name)}
      action={texts.disable3}
      run={() => set(true)}
      done={texts.disabled2}
    >
      <p>{texts.theEntityCannotLog}</p>
    </Danger>
  );
}

function Remove({ entity: { id, name } }: { readonly entity: Entity }) {
  const navigate = useNavigate();
  return (
    <Danger
      button={texts.deleteText}
      title={texts.deleteText2(name)}
      action={texts.deleteEntity}
      run={() => access.send('DELETE /identity/entity/id/{id}', { path: { id } })}
      done={texts.deleted(name)}
      onDone={() => navigate({ to: '/~access/identities' })}
    >
      <p>{texts.thisAlsoRevokesAll}</p>
    </Danger>
  );
}
